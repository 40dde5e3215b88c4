// What the store knows of the moves of a position: who scored them, when and how deep, and who
// brought them up.
#include "api/views/view.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::server {

using nlohmann::json;

namespace {

using Facts = std::vector<analysis::Evaluation>;

// A person who included it, the engine if it chose it among several, else whoever had it scored.
const char* source_of(const NodeDraft& draft, const NodeDraft::Move& move, const Facts& facts) {
    if (move.person) {
        return "person";
    }
    bool own = false;
    for (const analysis::Evaluation& fact : facts) {
        if (fact.move == move.move && fact.question.engine == draft.engine.id) {
            own = true;
            if (fact.question.excluded.size() + 1 < draft.legal || draft.legal == 1) {
                return "engine";
            }
        }
    }
    return move.seed || !own ? "import" : "engine";
}

std::string name_of(const storage::Store& store, analysis::EngineId id) {
    for (const storage::EngineRecord& engine : store.engines()) {
        if (engine.id == id) {
            return engine.name;
        }
    }
    return "";
}

void add_provenance(json& said, const analysis::Evaluation& fact, chess::Color mover) {
    said["depth"] = fact.depth;
    said["nodes"] = fact.nodes;
    said["at"] = fact.at;
    said["limit"] = limit_json(fact.question.limit);
    if (fact.wdl) {
        said["wdl"] = wdl_json(*fact.wdl, mover);
    }
    if (!fact.machine.empty()) {
        said["machine"] = fact.machine;
    }
}

json said_by(const storage::Store& store, const analysis::Evaluation& fact, chess::Color mover) {
    json said{{"score", score_json(fact.score, mover)},
              {"engine", name_of(store, fact.question.engine)}};
    add_provenance(said, fact, mover);
    return said;
}

} // namespace

// Words that the graph does not rest on: of moves that are excluded, and of smaller limits where
// nothing of the analysis's limit names the move.
void NodeDraft::add_what_has_no_part(json& result, const Facts& facts,
                                     const storage::Store& store) const {
    const auto here = chess::Position::unpack(position);
    if (!here || key.engine == analysis::EngineId{}) {
        return;
    }
    const auto rank = [](const analysis::Evaluation& fact) {
        return std::tuple{analysis::effort(fact.question.limit), fact.at, fact.id};
    };
    std::map<chess::Move, const analysis::Evaluation*> words; // the largest of each move
    for (const analysis::Evaluation& fact : facts) {
        if (usable(fact) && key.holds(fact.question.engine) && here->is_legal(*fact.move)) {
            const analysis::Evaluation*& word = words[*fact.move];
            word = word == nullptr || rank(*word) < rank(fact) ? &fact : word;
        }
    }
    json& rows = result["moves"];
    const std::size_t scored = moves.size();
    std::vector<const analysis::Evaluation*> provisional;
    for (const auto& [move, word] : words) {
        const std::string uci = chess::to_uci(*here, move);
        const auto row =
            std::ranges::find_if(rows, [&](const json& entry) { return entry["uci"] == uci; });
        if (row == rows.end()) {
            provisional.push_back(word);
        } else if ((*row)["engine"].is_null() && (*row)["status"] == "excluded") {
            (*row)["engine"] = said_by(store, *word, here->turn());
        } else if ((*row)["engine"].is_null()) {
            provisional.push_back(word);
            rows.erase(row); // named by a person or a game, and scored by a small search
        }
    }
    std::ranges::stable_sort(provisional, [](const auto* a, const auto* b) {
        return a->score->rank() > b->score->rank();
    });
    auto place = static_cast<json::difference_type>(std::min(scored, rows.size()));
    for (const analysis::Evaluation* word : provisional) {
        json entry = move_json(*here, *word->move);
        entry["engine"] = said_by(store, *word, here->turn());
        entry["idea"] = entry["engine"]["score"];
        entry["alpha"] = entry["engine"]["score"];
        entry["estimate"] = nullptr;
        entry["status"] = "leaf";
        entry["provisional"] = true;
        entry["positions"] = 0;
        entry["transposition"] = false;
        entry["source"] = source_of(*this, {*word->move, word->id}, facts);
        rows.insert(rows.begin() + place++, std::move(entry));
    }
    if (scored == 0 && !provisional.empty() && result["alpha"].is_null()) {
        result["alpha"] = score_json(provisional.front()->score, here->turn());
        result["idea"] = result["alpha"];
        result["provisional"] = true;
    }
    const std::size_t legal_moves = here->legal_moves().size();
    result["rest"]["count"] = legal_moves - std::min(legal_moves, rows.size());
}

json NodeDraft::finish(const storage::Store& store) const {
    json result = out;
    const bool asks = !moves.empty() || key.engine != analysis::EngineId{};
    const Facts facts = asks ? store.evaluations(position) : Facts{};
    const chess::Color turn = result["turn"] == "white" ? chess::Color::white : chess::Color::black;
    for (const auto& [place, move] : moves) {
        json& entry = result["moves"][place];
        const auto fact = std::ranges::find(facts, move.evaluation, &analysis::Evaluation::id);
        if (fact != facts.end()) {
            json& said = entry["engine"];
            if (fact->question.engine != engine.id) {
                said["engine"] = name_of(store, fact->question.engine);
            }
            add_provenance(said, *fact, turn);
        }
        if (!entry.contains("source")) {
            entry["source"] = source_of(*this, move, facts);
        }
    }
    if (result["terminal"].is_null() && result["status"] != "terminal") {
        add_what_has_no_part(result, facts, store);
    }
    count_proposals(result);
    if (behind) {
        const Facts there =
            behind->position == position ? facts : store.evaluations(behind->position);
        const auto fact = std::ranges::find(there, behind->evaluation, &analysis::Evaluation::id);
        if (fact != there.end() && fact->wdl) {
            result["wdl"] = wdl_json(*fact->wdl, behind->mover);
        }
    }
    return result;
}

json NodeDraft::without_store() const {
    json result = out;
    for (const auto& [place, move] : moves) {
        json& entry = result["moves"][place];
        if (!entry.contains("source")) {
            entry["source"] = move.person ? "person" : move.seed ? "import" : "engine";
        }
    }
    count_proposals(result);
    result["left_out"] = {"provenance", "provisional"};
    return result;
}

void NodeDraft::count_proposals(json& result) {
    for (const json& entry : result["moves"]) {
        const std::string source = entry["source"];
        if (source != "tables") {
            json& count = result["proposals"][source];
            count = count.get<std::size_t>() + 1;
        }
    }
}

} // namespace adjourn::server
