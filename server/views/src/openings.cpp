#include "views/openings.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>

extern const char adjourn_openings_tsv[];

namespace adjourn::server {

using nlohmann::json;

namespace {

struct Opening {
    std::string_view eco;
    std::string_view name;
    std::string_view pgn;
    std::vector<chess::Move> moves;
};

class Book {
public:
    Book() {
        std::string_view rest{adjourn_openings_tsv};
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            add(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    const std::vector<Opening>& all() const { return openings_; }

    const Opening* at(const chess::Position& position) const {
        const auto found = by_position_.find(position.packed());
        return found == by_position_.end() ? nullptr : &openings_[found->second];
    }

private:
    void add(std::string_view line) {
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos) {
            return;
        }
        Opening opening{line.substr(0, first),
                        line.substr(first + 1, second - first - 1),
                        line.substr(second + 1),
                        {}};
        chess::Position position = chess::Position::initial();
        auto moves = chess::parse_line(position, opening.pgn);
        if (!moves) {
            return;
        }
        opening.moves = std::move(*moves);
        for (const chess::Move move : opening.moves) {
            position.play(move);
        }
        by_position_.emplace(position.packed(), openings_.size());
        openings_.push_back(std::move(opening));
    }

    std::vector<Opening> openings_;
    std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash> by_position_;
};

const Book& book() {
    static const Book the_book;
    return the_book;
}

std::string folded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

// 0 = no match; smaller is closer.
int distance(const Opening& opening, const std::string& wanted) {
    const std::string name = folded(opening.name);
    const std::string eco = folded(opening.eco);
    if (eco == wanted || name == wanted) {
        return 1;
    }
    if (name.starts_with(wanted) || eco.starts_with(wanted)) {
        return 2;
    }
    // Every word of the request somewhere in the name.
    bool all = true;
    std::size_t at = 0;
    while (at < wanted.size()) {
        const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
        const std::string word = wanted.substr(at, end - at);
        all = all && (word.empty() || name.find(word) != std::string::npos);
        at = end + 1;
    }
    if (all) {
        return 3;
    }
    return folded(opening.pgn).starts_with(wanted) ? 4 : 0;
}

} // namespace

json opening_json(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    chess::Position position = run.start;
    const Opening* named = book().at(position);
    const auto walk = [&](const std::vector<chess::Move>& moves) {
        for (const chess::Move move : moves) {
            position.play(move);
            if (const Opening* found = book().at(position)) {
                named = found;
            }
        }
    };
    walk(run.record.root_moves);
    walk(line);
    if (named == nullptr) {
        return nullptr;
    }
    return {{"eco", named->eco}, {"name", named->name}};
}

json search_openings(std::string_view text, std::size_t limit) {
    const std::string wanted = folded(text);
    std::vector<std::pair<int, const Opening*>> hits;
    for (const Opening& opening : book().all()) {
        if (const int d = distance(opening, wanted); d != 0 || wanted.empty()) {
            hits.emplace_back(d, &opening);
        }
    }
    std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) {
        return std::tuple{a.first, a.second->moves.size()} <
               std::tuple{b.first, b.second->moves.size()};
    });
    json out = json::array();
    for (const auto& [d, opening] : hits) {
        if (out.size() >= limit) {
            break;
        }
        json uci = json::array();
        chess::Position position = chess::Position::initial();
        for (const chess::Move move : opening->moves) {
            uci.push_back(chess::to_uci(position, move));
            position.play(move);
        }
        out.push_back({{"eco", opening->eco},
                       {"name", opening->name},
                       {"pgn", opening->pgn},
                       {"uci", std::move(uci)}});
    }
    return out;
}

} // namespace adjourn::server
