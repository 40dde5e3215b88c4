// Strategy parameters as JSON: in answers, exports and the store.
#pragma once

#include "analysis/strategy_parameters.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace adjourn::server {

// What a request may ask for, and what is taken over from a store.
namespace strategy_range {
inline constexpr int widest = 10'000;            // cp
inline constexpr int most_moves = 218;           // of a position
inline constexpr double most_sigmas = 10;        // of floor_sigma
inline constexpr std::size_t longest_plan = 100; // plies
} // namespace strategy_range

// The whole numbers that every kind has; least: 0.
struct StrategyInteger {
    const char* name;
    int analysis::StrategyParameters::*value;
    int most;
};
inline constexpr std::array<StrategyInteger, 3> strategy_integers{
    {{"move_distance", &analysis::StrategyParameters::move_distance, strategy_range::widest},
     {"floor", &analysis::StrategyParameters::floor, strategy_range::widest},
     {"refine", &analysis::StrategyParameters::refine, 200}}};
// The members of a plan that differs by side, in the order of StrategyParameters::plan.
inline constexpr std::array<const char*, 2> plan_sides{"white", "black"};

// All that applies to the kind: {kind, move_distance, floor, refine}, the costs by name and the
// the level budget where costs are summed, the plan where there is one.
nlohmann::json strategy_json(const analysis::StrategyParameters& parameters);

// The inverse, for what stands in the store: any value gives parameters. What is missing or cannot
// be understood gets its default; what was wrong is appended to `findings`, with `path`.
analysis::StrategyParameters parse_strategy_json(const nlohmann::json& in, const std::string& path,
                                                 std::vector<std::string>& findings);

} // namespace adjourn::server
