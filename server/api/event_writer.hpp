// EventWriter: what the core's observer is told, as the events of docs/api/reference.md.
#pragma once

#include "core/schedule/core.hpp"
#include "http/events/event_hub.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace adjourn::server {

class EventWriter : public Observer {
public:
    static constexpr std::size_t named_positions = 20; // more than that: "many changed"

    explicit EventWriter(std::function<void(http::Event)> publish) : publish_{std::move(publish)} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override;
    void nodes_changed(const AnalysisRun& run, const std::vector<analysis::NodeId>& nodes) override;
    void board_search_changed(const Core& core, const BoardSearch& look) override;
    void engine_changed(const Core& core, const EngineSlot& engine) override;
    void analysis_removed(analysis::AnalysisId id) override;

private:
    // `name` is the field of `data` that names the subject. Of an analysis, those who have a link
    // are told what shown_by_link() leaves.
    void tell(std::string kind, std::string name, std::optional<std::int64_t> analysis,
              nlohmann::json data);

    std::function<void(http::Event)> publish_;
    // Of each (kind, subject), what its latest event said.
    std::map<std::pair<std::string, std::string>, nlohmann::json> told_;
};

} // namespace adjourn::server
