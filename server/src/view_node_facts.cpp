// What the store knows of the moves of a position: who scored them, when and how deep, and who
// brought them up.
#include "server/view.hpp"

#include <algorithm>

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

} // namespace

json NodeDraft::finish(const storage::Store& store) const {
    json result = out;
    const Facts facts = moves.empty() ? Facts{} : store.evaluations(position);
    for (const auto& [place, move] : moves) {
        json& entry = result["moves"][place];
        const auto fact = std::ranges::find(facts, move.evaluation, &analysis::Evaluation::id);
        if (fact != facts.end()) {
            json& said = entry["engine"];
            if (fact->question.engine != engine.id) {
                said["engine"] = name_of(store, fact->question.engine);
            }
            said["depth"] = fact->depth;
            said["nodes"] = fact->nodes;
            said["at"] = fact->at;
            said["limit"] = limit_json(fact->question.limit);
        }
        if (!entry.contains("source")) {
            entry["source"] = source_of(*this, move, facts);
        }
    }
    for (const json& entry : result["moves"]) {
        const std::string source = entry["source"];
        if (source != "tables") {
            json& count = result["proposals"][source];
            count = count.get<std::size_t>() + 1;
        }
    }
    return result;
}

} // namespace adjourn::server
