// Observers: tells several what the core tells one.
#pragma once

#include "core/schedule/observer.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace adjourn::server {

class Observers : public Observer {
public:
    explicit Observers(std::vector<std::shared_ptr<Observer>> all) : all_{std::move(all)} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override {
        for (const auto& each : all_) {
            each->analysis_changed(core, run);
        }
    }
    void nodes_changed(const AnalysisRun& run,
                       const std::vector<analysis::NodeId>& nodes) override {
        for (const auto& each : all_) {
            each->nodes_changed(run, nodes);
        }
    }
    void look_changed(const Core& core, const Look& look) override {
        for (const auto& each : all_) {
            each->look_changed(core, look);
        }
    }
    void engine_changed(const Core& core, const EngineSlot& engine) override {
        for (const auto& each : all_) {
            each->engine_changed(core, engine);
        }
    }
    void analysis_removed(analysis::AnalysisId id) override {
        for (const auto& each : all_) {
            each->analysis_removed(id);
        }
    }

private:
    std::vector<std::shared_ptr<Observer>> all_;
};

} // namespace adjourn::server
