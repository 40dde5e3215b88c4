// Engines: the engine profiles of the configuration, at work.
#pragma once

#include "engines/death_log.hpp"
#include "engines/workers.hpp"
#include "graphs/analysis_run.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

// One engine profile at work.
struct EngineSlot : std::enable_shared_from_this<EngineSlot> {
    engine_bridge::Profile profile;
    std::unique_ptr<Workers> workers;
    std::optional<engine_bridge::Identity> identity;
    analysis::EngineId id{};
    std::string problem; // why there is no identity, or what last went wrong
    DeathLog deaths;
    bool changed = true;
    std::size_t urgent_out = 0;   // questions out that a person waits for
    std::size_t lent = 0;         // processes that the queue leaves to what people look at
    std::map<int, double> rounds; // by priority: how far the turns are
};

// Never empty once the core stands. The first one is the default.
class Engines {
public:
    std::shared_ptr<EngineSlot> add(const engine_bridge::Profile& profile) {
        all_.push_back(std::make_shared<EngineSlot>());
        all_.back()->profile = profile;
        return all_.back();
    }
    void keep(std::shared_ptr<EngineSlot> engine) { all_.push_back(std::move(engine)); }
    // None is left.
    std::vector<std::shared_ptr<EngineSlot>> take_all() { return std::exchange(all_, {}); }
    const std::vector<std::shared_ptr<EngineSlot>>& all() const { return all_; }
    // Null if the config has none of this name.
    EngineSlot* named(std::string_view name) const {
        const auto found = std::ranges::find_if(
            all_, [&](const auto& engine) { return engine->profile.name == name; });
        return found == all_.end() ? nullptr : found->get();
    }
    EngineSlot* of(const AnalysisRun& run) const { return named(run.record.profile); }

private:
    std::vector<std::shared_ptr<EngineSlot>> all_;
};

} // namespace adjourn::server
