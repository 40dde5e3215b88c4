// StrategyParameters: which strategy, and its numbers (docs/internals/strategies.md).
#pragma once

#include "base/field.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace adjourn::analysis {

// What one ply of a custom plan follows.
struct PlyPlan {
    int window = 0; // cp behind the best move
    int width = 0;  // moves, the best ones; 0 = as many as the window has. Not at plies 0 and 1

    friend bool operator==(const PlyPlan&, const PlyPlan&) = default;
};

struct StrategyParameters {
    std::string kind = "halving"; // a name of strategies()
    int move_distance = 30;       // cp, ≥ 0
    int floor = 5;                // cp, ≥ 0: no window is narrower
    // … nor than so many σ of the engine's noise, ≥ 0: reckoned_sigma() of what measure_few() finds
    // in the graph, rounded up to whole cp. 0 costs nothing; else each plan looks at all moves.
    double floor_sigma = 0;
    int refine = 0; // settle this level and stop; 0 = no end
    // Threads of the search of the root that stands beside the tree (strategies with an anchor, two
    // processes or more): 0 three quarters of the processes, -1 no such search.
    int anchor_threads = 0;
    std::vector<double> own; // of Strategy::numbers(), in their order
    // Windowed strategies: what is followed where White (0) or Black (1) moves, entry i at ply i
    // from the root, the last entry at all deeper plies. Empty: by move_distance and floor.
    std::array<std::vector<PlyPlan>, 2> plan;

    friend bool operator==(const StrategyParameters&, const StrategyParameters&) = default;
};

// The numbers that every kind has.
std::span<const base::Field<StrategyParameters>> strategy_fields();
namespace plan_range {
inline constexpr int widest = 10'000;       // cp
inline constexpr int most_moves = 218;      // of a position
inline constexpr std::size_t longest = 100; // plies
} // namespace plan_range

} // namespace adjourn::analysis
