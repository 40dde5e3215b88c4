#include "api/event_writer.hpp"

#include "views/view.hpp"
#include "work/core.hpp"

namespace adjourn::server {

using nlohmann::json;

void EventWriter::analysis_changed(const Core& core, const AnalysisRun& run) {
    const auto id = static_cast<std::int64_t>(run.record.id);
    std::string data = analysis_json(core, run).dump();
    if (std::string& told = told_[id]; told != data) { // facts of others may change nothing
        told = data;
        publish_({"analysis", std::to_string(id), id, std::move(data), ""});
    }
}

void EventWriter::nodes_changed(const AnalysisRun& run,
                                const std::vector<analysis::NodeId>& nodes) {
    const auto id = static_cast<std::int64_t>(run.record.id);
    const json many{{"analysis", id}, {"version", run.slot->version()}, {"fens", nullptr}};
    json data = many;
    if (nodes.size() <= named_positions) {
        data["fens"] = json::array();
        for (const analysis::NodeId node : nodes) {
            data["fens"].push_back(run.slot->graph().position(node).fen());
        }
    }
    publish_({"node", std::to_string(id), id, data.dump(), many.dump()});
}

void EventWriter::engine_changed(const Core& core, const EngineSlot& engine) {
    const bool is_default = &engine == core.engines().front().get();
    publish_({"engine", engine.profile.name, std::nullopt,
              engine_json(core, engine, is_default).dump(), ""});
}

void EventWriter::analysis_removed(analysis::AnalysisId id) {
    const std::string number = std::to_string(static_cast<std::int64_t>(id));
    told_.erase(static_cast<std::int64_t>(id));
    publish_({"removed", number, static_cast<std::int64_t>(id), "{\"id\":" + number + "}", ""});
}

} // namespace adjourn::server
