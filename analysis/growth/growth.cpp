#include "analysis/growth.hpp"

#include <array>

namespace adjourn::analysis {

using base::Field;

namespace {

constexpr std::array strategy_table{
    Field<StrategyParameters>{"move_distance", &StrategyParameters::move_distance, 0, 10'000,
                              "Width of the window at the root, cp"},
    Field<StrategyParameters>{"floor", &StrategyParameters::floor, 0, 10'000,
                              "No window is narrower, cp"},
    Field<StrategyParameters>{
        "floor_sigma", &StrategyParameters::floor_sigma, 0, 10,
        "Nor than so many σ of the engine's noise (25 cp until it is measured); absent = 0", false},
    Field<StrategyParameters>{"refine", &StrategyParameters::refine, 0, 200,
                              "Settle this refined depth and stop; 0 = go on without end"},
    Field<StrategyParameters>{"anchor_threads", &StrategyParameters::anchor_threads, -1, 512,
                              "Threads of the long search that stands beside the tree; absent = 0: "
                              "three quarters of the processes; -1: it is asked for in pieces",
                              false},
};

} // namespace

std::span<const Field<StrategyParameters>> strategy_fields() {
    return strategy_table;
}

} // namespace adjourn::analysis
