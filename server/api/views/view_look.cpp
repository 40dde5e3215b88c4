// What is looked at, and what the process has found so far.
#include "api/cloud/clouds.hpp"
#include "api/views/view.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t longest_told = 16; // moves of a line: it is sent several times a second

json sans_of(chess::Position at, const std::vector<chess::Move>& line) {
    json sans = json::array();
    for (const chess::Move move : line) {
        if (sans.size() == longest_told || !at.is_legal(move)) {
            break;
        }
        sans.push_back(chess::to_san(at, move));
        at.play(move);
    }
    return sans;
}

json found_json(const chess::Position& position, chess::Move move, json score, int depth,
                std::uint64_t nodes, const std::vector<chess::Move>& pv, bool live) {
    json out = move_json(position, move);
    out["score"] = std::move(score);
    out["depth"] = depth;
    out["nodes"] = nodes;
    out["pv"] = sans_of(position, pv);
    out["live"] = live;
    return out;
}

json found_so_far(const BoardSearch& look,
                  const std::optional<engine_bridge::ProcessStatus>& live) {
    const chess::Position& position = look.position;
    json found = json::array();
    const engine_bridge::BestLine* line = live && live->line ? &*live->line : nullptr;
    const std::size_t place = look.question ? look.question->number : 0;
    const bool says_more = line != nullptr && line->score && line->bound == chess::Bound::exact &&
                           place <= look.found.size() && position.is_legal(line->pv.front()) &&
                           (place == look.found.size() || line->depth > look.found[place].depth);
    for (std::size_t i = 0; i <= look.found.size(); ++i) {
        if (says_more && i == place) {
            found.push_back(found_json(position, line->pv.front(),
                                       score_json(line->score, position.turn()), line->depth,
                                       live->nodes, line->pv, true));
        } else if (i < look.found.size()) {
            const analysis::Evaluation& fact = look.found[i];
            if (!position.is_legal(*fact.move) ||
                (says_more && i > place && *fact.move == line->pv.front())) {
                continue;
            }
            found.push_back(found_json(position, *fact.move,
                                       score_json(fact.score, position.turn()), fact.depth,
                                       fact.nodes, fact.pv, false));
        }
    }
    return found;
}

struct CloudWords {
    json entry = nullptr;                       // {uci, san, cloud}
    int best = std::numeric_limits<int>::min(); // rank of a score, for the side to move
    bool good = false;                          // to be named where no engine has looked
};

} // namespace

json look_json(const Core& core, const BoardSearch& look) {
    json out{{"id", static_cast<std::int64_t>(look.id)},
             {"analysis", static_cast<std::int64_t>(look.analysis)},
             {"engine", look.engine},
             {"fen", look.position.fen()},
             {"lines", look.lines},
             {"from_queue", look.from_queue},
             {"until_stopped", look.until_stopped},
             {"state", !look.ended.empty() ? "ended"
                       : look.question && core.engines().dispatcher()->works(*look.place)
                           ? "searching"
                           : "starting"},
             {"reason", look.ended.empty() ? json(nullptr) : json(look.ended)},
             {"depth", look.depth},
             {"search", nullptr}};
    const AnalysisRun* run = core.queue().find(look.analysis);
    out["line"] = run == nullptr ? json::array() : line_json(run->root, look.line);
    const auto live = core.long_searches().live(look);
    if (look.question) {
        out["search"] = {{"number", look.question->number + 1},
                         {"depth", look.question->depth},
                         {"reached", live ? live->depth : 0},
                         {"nodes", live ? live->nodes : 0},
                         {"nps", live ? live->nps : 0}};
    }
    out["found"] = found_so_far(look, live);
    return out;
}

// What clouds say of a position, beside what the tree says.

void add_clouds(json& node, const chess::Position& here,
                const std::vector<storage::CloudRecord>& known) {
    std::map<std::string, CloudWords> said; // by UCI
    for (const storage::CloudRecord& record : known) {
        const auto moves = read_cloud_answer(record.source, here, 200, record.text);
        if (!moves) { // it does not know the position, or another version has taken it
            continue;
        }
        for (const CloudMove& told : *moves) {
            CloudWords& words = said[chess::to_uci(here, told.move)];
            if (words.entry.is_null()) {
                words.entry = move_json(here, told.move);
            }
            json word{{"source", record.source},
                      {"score", score_json(told.score, here.turn())},
                      {"at", record.at}};
            if (told.rank) {
                word["rank"] = *told.rank;
            }
            if (told.depth) {
                word["depth"] = *told.depth;
            }
            words.entry["cloud"].push_back(std::move(word));
            words.best = std::max(words.best, told.score.rank());
            words.good = words.good || told.rank != 0;
        }
    }
    const auto words_of = [&](const json& row) { return said.find(row["uci"].get<std::string>()); };
    const auto best_of = [&](const json& row) {
        const auto words = words_of(row);
        return words == said.end() ? std::numeric_limits<int>::min() : words->second.best;
    };
    json& rows = node["moves"];
    const auto unscored = std::find_if(rows.begin(), rows.end(),
                                       [](const json& row) { return row["alpha"].is_null(); });
    std::stable_sort(unscored, rows.end(), [&](const json& one, const json& other) {
        return best_of(one) > best_of(other);
    });
    for (json& row : rows) {
        if (const auto words = words_of(row); words != said.end()) {
            row["cloud"] = words->second.entry["cloud"];
            said.erase(words);
        }
    }
    std::erase_if(said, [](const auto& words) { return !words.second.good; });
    std::vector<CloudWords> others;
    for (auto& [uci, words] : said) {
        others.push_back(std::move(words));
    }
    std::ranges::stable_sort(others, std::ranges::greater{}, &CloudWords::best);
    for (CloudWords& words : others) {
        node["cloud_moves"].push_back(std::move(words.entry));
    }
}

} // namespace adjourn::server
