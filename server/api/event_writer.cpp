#include "api/event_writer.hpp"

#include "api/call.hpp"
#include "api/views/view.hpp"

namespace adjourn::server {

namespace {

// By name, the fields of `now` that are not as in `before`; nothing where some are gone.
std::map<std::string, std::string> changes(const json& before, const json& now) {
    std::map<std::string, std::string> changed;
    for (const auto& [name, value] : before.items()) {
        if (!now.contains(name)) {
            return {};
        }
    }
    for (const auto& [name, value] : now.items()) {
        const auto old = before.find(name);
        if (old == before.end() || *old != value) {
            changed[name] = value.dump();
        }
    }
    return changed;
}

} // namespace

void EventWriter::tell(std::string kind, std::string name, std::optional<std::int64_t> analysis,
                       json data) {
    const json& key = data.at(name);
    std::string subject = key.is_string() ? key.get<std::string>() : key.dump();
    std::map<std::string, std::string> changed;
    std::string by_link;
    if (kind == "analysis") {
        const json shown = shown_by_link(data);
        const auto before = told_.find({kind, subject});
        if (before == told_.end() || shown_by_link(before->second) != shown) {
            by_link = shown.dump();
        }
    }
    const auto [told, first] = told_.try_emplace({kind, subject});
    if (!first) {
        if (told->second == data) { // what others found may change nothing
            return;
        }
        changed = changes(told->second, data);
        if (!changed.empty()) {
            changed[name] = key.dump();
        }
    }
    std::string text = data.dump();
    told->second = std::move(data);
    publish_({std::move(kind), std::move(subject), analysis, std::move(text), "",
              std::move(changed), std::move(by_link)});
}

void EventWriter::analysis_changed(const Core& core, const AnalysisRun& run) {
    tell("analysis", "id", static_cast<std::int64_t>(run.record.id), analysis_json(core, run));
}

void EventWriter::nodes_changed(const AnalysisRun& run,
                                const std::vector<analysis::NodeId>& nodes) {
    const auto id = static_cast<std::int64_t>(run.record.id);
    const json many{{"analysis", id}, {"version", run.version()}, {"fens", nullptr}};
    json data = many;
    if (nodes.size() <= named_positions) {
        data["fens"] = json::array();
        for (const analysis::NodeId node : nodes) {
            data["fens"].push_back(run.slot->graph().position(node).fen());
        }
    }
    publish_({"node", std::to_string(id), id, data.dump(), many.dump()});
}

void EventWriter::board_search_changed(const Core& core, const BoardSearch& look) {
    tell("look", "id", static_cast<std::int64_t>(look.analysis), look_json(core, look));
    if (!look.ended.empty()) { // should it begin again, all of it is told
        told_.erase({"look", std::to_string(static_cast<std::int64_t>(look.id))});
    }
}

void EventWriter::engine_changed(const Core& core, const EngineSlot& engine) {
    const bool is_default = &engine == core.engines().all().front().get();
    tell("engine", "name", std::nullopt, engine_json(core, engine, is_default));
}

void EventWriter::analysis_removed(analysis::AnalysisId id) {
    const std::string number = std::to_string(static_cast<std::int64_t>(id));
    told_.erase({"analysis", number});
    publish_({"removed", number, static_cast<std::int64_t>(id), "{\"id\":" + number + "}", ""});
}

} // namespace adjourn::server
