// What an analysis was asked to do, apart from its root: strategy, budget, time window. Kept in the
// store as JSON text (docs/internals/database-format.md, analyses.parameters).
#pragma once

#include "analysis/growth.hpp"
#include "analysis/stop_rules.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// What may be asked for, by requests and by what is stored.
namespace spec_range {
inline constexpr std::int64_t most_positions = 1'000'000'000;
inline constexpr std::int64_t most_nodes = 1'000'000'000'000'000;
inline constexpr double least_seconds = 0.001;
inline constexpr double most_seconds = 1e9;
inline constexpr analysis::UnixMs last_moment = 100'000'000'000'000;
inline constexpr double most_lead = 100; // σ
inline constexpr int most_levels = 200;
inline constexpr std::size_t most_accepted = 100;
inline constexpr int least_priority = -100;
inline constexpr int most_priority = 100;
} // namespace spec_range

struct Budget {
    std::optional<std::uint64_t> positions; // expanded positions
    std::optional<double> engine_seconds;   // of this analysis's own searches
    std::optional<analysis::UnixMs> until;
    // Of this analysis's own searches. Nothing is asked once those spent and those that the
    // questions that are out may spend (where their limit is in nodes) reach it.
    std::optional<std::uint64_t> nodes{};

    friend bool operator==(const Budget&, const Budget&) = default;
};

// "22:00-07:00" in local time; may span midnight. Equal ends mean the whole day.
struct TimeWindow {
    int from_minute = 0; // of the day
    int to_minute = 0;

    static std::optional<TimeWindow> parse(std::string_view text);
    std::string text() const;
    bool contains(int minute_of_day) const;

    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;
};

int local_minute_of_day(analysis::UnixMs at);

struct AnalysisSpec {
    analysis::StrategyParameters strategy;
    Budget budget;
    std::optional<TimeWindow> window;
    analysis::StopRules stop;
    // Whose evaluations count beside those of the analysis's own engine: names or fingerprints of
    // engines in the store (imported ones are "pgn %eval", "epd", "lichess"), or "any".
    std::vector<std::string> accept;

    friend bool operator==(const AnalysisSpec&, const AnalysisSpec&) = default;
};

// {proven, lead, levels}
nlohmann::json stop_json(const analysis::StopRules& stop);
// Those that are set: {positions, nodes, engine_seconds, until}
nlohmann::json budget_json(const Budget& budget);

std::string to_text(const AnalysisSpec& spec);
// Any text gives a spec: what is missing or cannot be understood gets its default, numbers beyond
// their range its end. What was wrong is appended to `findings`, where they are given.
AnalysisSpec parse_spec(const std::string& text, std::vector<std::string>* findings = nullptr);

} // namespace adjourn::server
