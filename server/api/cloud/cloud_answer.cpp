#include "api/cloud/cloud_answer.hpp"

#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace adjourn::server {

using base::JsonObject;
using base::JsonValue;

namespace {

constexpr std::size_t most_cloud_moves = 218; // no position has more
constexpr std::size_t most_cloud_values = 10'000;
constexpr std::size_t most_cloud_line = 4'096; // bytes

// chessdb counts a mate from 30,000, a win by its tables from 25,000 and one that the 50 moves
// spoil from 20,000, one less for each ply.
std::optional<chess::Score> chessdb_score(std::int64_t told) {
    const int size = static_cast<int>(std::abs(told));
    std::optional<chess::Score> score;
    if (size <= 15'000) {
        score = chess::Score::cp(size);
    } else if (size <= 20'000) {
        score = chess::Score::tablebase(chess::Wdl::cursed_win, 20'000 - size);
    } else if (size <= 25'000) {
        score = chess::Score::tablebase(chess::Wdl::win, 25'000 - size);
    } else if (30'000 - size < 2 * chess::most_told_mate) {
        score = chess::Score::mate_in(30'000 - size);
    }
    return score && told < 0 ? -*score : score;
}

std::optional<int> small(const std::optional<std::int64_t>& number) {
    return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
}

class CloudReader {
public:
    explicit CloudReader(const chess::Position& position) : position_{position} {}

    void chessdb(const JsonObject& answer) {
        const std::string status = answer.at("status").text().value_or("");
        if (status != "ok" && status != "unknown") {
            answer.wrong("status", "it says '" + base::shortened(status, 64) + "'");
        }
        if (status != "ok") {
            return;
        }
        for (const JsonValue& value : answer.at("moves").items(most_cloud_moves)) {
            const JsonObject move = value.object();
            if (move.at("score").is_text()) { // "??": it does not know this one
                continue;
            }
            const auto told = move.at("score").integer(-29'999, 29'999);
            const auto rank = move.find("rank").integer(0, 2);
            const auto uci = chess::parse_uci(position_, move.at("uci").text().value_or(""));
            const auto score = told ? chessdb_score(*told) : std::nullopt;
            if (!uci || !score) {
                move.wrong("", value.path() + ": a legal move and a score are wanted");
                return;
            }
            add(value, {*uci, *score, small(rank), std::nullopt});
        }
    }

    void lichess(const JsonObject& answer) {
        const std::string fen = answer.at("fen").text().value_or(""), own = position_.fen();
        base::Words theirs{fen}, ours{own};
        const bool same = theirs.next() == ours.next(); // pieces
        if (!same || (!theirs.peek().empty() && theirs.peek() != ours.peek())) {
            answer.wrong("fen", "it answers about another position");
            return;
        }
        const auto depth = answer.at("depth").integer(1, chess::most_told_depth);
        const bool white = position_.turn() == chess::Color::white;
        for (const JsonValue& value : answer.at("pvs").items(most_cloud_moves)) {
            const JsonObject pv = value.object();
            const auto cp = pv.find("cp").integer(-chess::most_told_cp, chess::most_told_cp);
            const auto mate =
                pv.find("mate").integer(-chess::most_told_mate, chess::most_told_mate);
            const auto line =
                chess::parse_line(position_, pv.at("moves").text(most_cloud_line).value_or(""));
            if (!line || line->empty() || cp.has_value() == mate.has_value() || mate == 0) {
                pv.wrong("", value.path() + ": a legal line and cp or mate are wanted");
                return;
            }
            const std::int64_t told = cp ? *cp : *mate;
            const std::int64_t of_mover = white ? told : -told;
            const auto score = cp ? chess::told_cp(of_mover) : chess::told_mate(of_mover);
            add(value, {line->front(), *score, std::nullopt, small(depth)});
        }
        if (moves.empty()) {
            answer.wrong("pvs", "pvs is empty");
        }
    }

    std::vector<CloudMove> moves;

private:
    void add(const JsonValue& place, const CloudMove& told) {
        if (std::ranges::find(moves, told.move, &CloudMove::move) != moves.end()) {
            place.wrong(place.path() + " names a move twice");
        }
        moves.push_back(told);
    }

    const chess::Position& position_;
};

} // namespace

std::expected<std::vector<CloudMove>, std::string>
read_cloud_answer(std::string_view source, const chess::Position& position, int status,
                  const std::string& text) {
    const bool lichess = source == "lichess";
    const bool unknown = lichess && status == 404;
    if (status != 200 && !unknown) {
        return std::unexpected("it answers " + std::to_string(status));
    }
    const auto parsed = base::parse_json(text, most_cloud_values);
    if (!parsed || !parsed->is_object()) {
        return std::unexpected("its answer " + (parsed ? "is no object" : parsed.error()));
    }
    const JsonObject answer{*parsed, base::JsonPolicy::strict};
    CloudReader reader{position};
    if (unknown) {
        answer.at("error").text(); // else it is no answer of a cloud
    } else if (lichess) {
        reader.lichess(answer);
    } else {
        reader.chessdb(answer);
    }
    if (!answer.problems().empty()) {
        return std::unexpected("its answer cannot be used: " + answer.problems().front().message);
    }
    return std::move(reader.moves);
}

} // namespace adjourn::server
