// Core, what observers are told: a few times a second, only what changed.
#include "server/core.hpp"
#include "server/view.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t named_positions = 20; // more than that: "many changed"

} // namespace

void Core::publish_changes() {
    if (!options_.publish) {
        for (const auto& run : runs_) {
            run->changed = false;
        }
        changed_nodes_.clear();
        return;
    }
    for (const auto& run : runs_) {
        attempt("telling what has changed", [&] { publish_changes(*run); });
    }
    changed_nodes_.clear();
    bool first = true;
    for (const auto& engine : engines_) {
        if (engine->changed) {
            engine->changed = false;
            attempt("telling what has changed", [&] {
                options_.publish({"engine", engine->profile.name, std::nullopt,
                                  engine_json(*this, *engine, first).dump(), ""});
            });
        }
        first = false;
    }
}

void Core::publish_changes(AnalysisRun& run) {
    const auto id = static_cast<std::int64_t>(run.record.id);
    const std::string subject = std::to_string(id);
    if (run.changed) {
        run.changed = false;
        options_.publish({"analysis", subject, id, analysis_json(*this, run).dump(), ""});
    }
    const auto found = changed_nodes_.find(run.slot);
    if (run.slot == nullptr || found == changed_nodes_.end() || found->second.empty()) {
        return;
    }
    std::vector<analysis::NodeId> nodes = found->second;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const json many{{"analysis", id}, {"version", run.slot->version()}, {"fens", nullptr}};
    json data = many;
    if (nodes.size() <= named_positions) {
        data["fens"] = json::array();
        for (const analysis::NodeId node : nodes) {
            data["fens"].push_back(run.slot->graph().position(node).fen());
        }
    }
    options_.publish({"node", subject, id, data.dump(), many.dump()});
}

} // namespace adjourn::server
