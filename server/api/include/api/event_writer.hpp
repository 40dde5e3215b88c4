// EventWriter: what the core's observer is told, as the events of docs/api/reference.md.
#pragma once

#include "events/event_hub.hpp"
#include "work/observer.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace adjourn::server {

class EventWriter : public Observer {
public:
    static constexpr std::size_t named_positions = 20; // more than that: "many changed"

    explicit EventWriter(std::function<void(http::Event)> publish) : publish_{std::move(publish)} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override;
    void nodes_changed(const AnalysisRun& run, const std::vector<analysis::NodeId>& nodes) override;
    void engine_changed(const Core& core, const EngineSlot& engine) override;
    void analysis_removed(analysis::AnalysisId id) override;

private:
    std::function<void(http::Event)> publish_;
    std::map<std::int64_t, std::string> told_; // of each analysis, what its latest event said
};

} // namespace adjourn::server
