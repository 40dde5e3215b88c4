// StrategyParameters: what makes one strategy differ from another. All of them are sets of numbers
// in one formulation (docs/internals/strategies.md): moves of a line cost the side that plays them,
// and a line is worked on while its costs stay within the level's budget.
#pragma once

#include "base/field.hpp"
#include "chess/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace adjourn::analysis {

enum class StrategyKind : std::uint8_t {
    halving,
    interest,
    consistency,
    dropout,
    minmax,
    uniform,
    anchored,
    conspiracy,
};

// Where nobody names one: API, command line, page, UCI and ./run.
inline constexpr StrategyKind default_strategy = StrategyKind::anchored;

std::span<const StrategyKind> strategy_kinds();
std::string_view to_text(StrategyKind kind);
std::string_view meaning_of(StrategyKind kind); // for people: what it does, without its name
std::optional<StrategyKind> parse_strategy(std::string_view text);

// Windowed strategies follow every move inside a window (costs combine by max; a move within the
// window costs at most the budget, 1). The others sum costs.
bool windowed(StrategyKind kind);

// Whether one search of the root grows beside the tree, which checks it.
bool has_anchor(StrategyKind kind);

// What the budget of a level pays for.
enum class LevelBudget : std::uint8_t {
    per_side, // each side's costs stay within the budget by themselves
    joint,    // the mean of both sides' costs does
    in_turn,  // the mean does, where the costs of either the one or the other side count in full
              // and the other side's by the weight other_side
};

std::string_view to_text(LevelBudget budget);
std::optional<LevelBudget> parse_level_budget(std::string_view text);

// What a move costs where costs are summed:
//
//   per_ply + per_cp · gap · growth^max(0, ply-1) + per_rank · log2(1 + rank)
//     + spread · log2 Σ 2^(-gap · per_cp) + dullness · 100 / interest
//     + carry · (what the moves tried before it cost by themselves) - bonus, never below 0
//
// gap: cp behind the best move, per_cp · gap at most 100; rank: 0 for the best. The sum goes over
// the moves known at the position. bonus = bonus · min(2, i / t), where i is how far the position's
// one-ply value is from what its parent's search said, and t = threshold · (1 + loosening · ply).
struct Costs {
    double per_ply = 0;
    double per_cp = 0;
    double growth = 1;
    double per_rank = 0;
    double spread = 0;
    double dullness = 0;
    double carry = 0;
    double bonus = 0;
    double threshold = 20; // cp
    double loosening = 0.125;
    double shuffle = 1;      // for each extra ply that a move in a drawn shuffle counts for
    double step = 1;         // of the budget, each level
    double horizon = 4;      // plies a line may have, each level
    double other_side = 0.5; // level budget in_turn only

    friend bool operator==(const Costs&, const Costs&) = default;
};

std::span<const base::Field<Costs>> cost_fields();

// What one ply of a custom plan follows.
struct PlyPlan {
    int window = 0; // cp behind the best move
    int width = 0;  // moves, the best ones; 0 = as many as the window has. Not at plies 0 and 1

    friend bool operator==(const PlyPlan&, const PlyPlan&) = default;
};

struct StrategyParameters {
    StrategyKind kind = StrategyKind::halving;
    int move_distance = 30; // cp, ≥ 0
    int floor = 5;          // cp, ≥ 0: no window is narrower
    // … nor than so many σ of the engine's noise, ≥ 0: reckoned_sigma() of what measure_few() finds
    // in the graph, rounded up to whole cp. 0 costs nothing; else each plan looks at all moves.
    double floor_sigma = 0;
    int refine = 0; // settle this level and stop; 0 = no end
    // Threads of the search of the root that stands beside the tree (strategies with an anchor, two
    // processes or more): 0 three quarters of the processes, -1 no such search.
    int anchor_threads = 0;
    Costs costs; // not of windowed strategies
    LevelBudget level_budget = LevelBudget::per_side;
    // Windowed strategies: what is followed where White (0) or Black (1) moves, entry i at ply i
    // from the root, the last entry at all deeper plies. Empty: by move_distance and floor.
    std::array<std::vector<PlyPlan>, 2> plan;

    friend bool operator==(const StrategyParameters&, const StrategyParameters&) = default;
};

StrategyParameters default_parameters(StrategyKind kind);

// The numbers that every kind has.
std::span<const base::Field<StrategyParameters>> strategy_fields();
namespace plan_range {
inline constexpr int widest = 10'000;       // cp
inline constexpr int most_moves = 218;      // of a position
inline constexpr std::size_t longest = 100; // plies
} // namespace plan_range

// W(0) = W(1) = D, W(p) = D / 2^(p-1) for p ≥ 2, never below the floor (nor above D). In cp,
// rounded down. Strategy uniform: D everywhere.
int window_at(const StrategyParameters& parameters, int ply);
// The same, by the plan if there is one.
int window_at(const StrategyParameters& parameters, int ply, chess::Color mover);
// Whether no ply follows more than the one before it, so that a position nearer to the root is
// never established for less.
bool never_widens(const StrategyParameters& parameters);

} // namespace adjourn::analysis
