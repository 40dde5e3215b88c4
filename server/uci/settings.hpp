// Settings: the options of `adjourn uci`: what is declared, what was set, and the engine profile
// that comes of it. Pure.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/strategy.hpp"
#include "engine_bridge/process/profile.hpp"
#include "host/config.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server::uci {

// The whole number that the profile gives an engine's option; `otherwise` where it says nothing.
std::int64_t option_of(const engine_bridge::Profile& profile, std::string_view name,
                       std::int64_t otherwise);

class Settings {
public:
    // REQUIRES: config.engines is not empty. The config must outlive the settings.
    explicit Settings(const Config& config);

    // "option name …" lines in the order of declaration.
    std::vector<std::string> declaration() const;
    // Names are compared without regard to case. The error is for people, and nothing is changed.
    std::expected<void, std::string> set(std::string_view name, std::string_view value);

    // The chosen engine profile with Workers, Hash, Threads and SyzygyPath as far as they were set.
    engine_bridge::Profile profile() const;

    int move_distance = 30; // cp
    std::string strategy{analysis::default_strategy};
    int refine = 0;                    // settle this depth and answer; 0 = as long as there is time
    std::int64_t evaluation_nodes = 0; // of each evaluation; 0 = chosen by the time there is
    int evaluation_depth = 0;          // of each evaluation, instead of nodes; 0 = by nodes
    int multi_pv = 1;
    bool chess960 = false;
    bool engine_depth = false; // depth is that of the longest search of the position, not the level
    std::chrono::milliseconds move_overhead{30};

private:
    struct Option;
    std::vector<Option> options();

    const Config& config_;
    std::string profile_;
    std::int64_t workers_ = 0; // 0: as the profile says
    std::optional<std::int64_t> hash_;
    std::optional<std::int64_t> threads_;
    std::optional<std::string> syzygy_path_;
};

} // namespace adjourn::server::uci
