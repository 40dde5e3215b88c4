// Rule: what moves cost under a strategy, and what a level can pay. The whole difference between
// strategies is here and in the parameters; the walk is the same for all.
#pragma once

#include "attention.hpp"
#include "candidates.hpp"

#include "analysis/strategy_parameters.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

// What a line has cost so far, by the side that paid: White, Black.
using LineCost = std::array<double, 2>;

// A position on a line, as far as prices depend on it.
struct Place {
    NodeId node{};
    int ply = 0;
    chess::Color mover = chess::Color::white;
    bool principal = true;        // the line has best moves only
    std::optional<int> predicted; // the position's value by its parent's search; mover's side
};

// What the moves at one place cost.
struct Prices {
    std::vector<double> known; // of the candidates, in their order
    double unsearched = 0;     // of a move not known yet, as far as is known
};

// The level whose lines may have so many plies.
int level_of(const StrategyParameters& parameters, int plies);

class Rule {
public:
    Rule(const StrategyParameters& parameters, const Graph& graph, int level);

    // Best move first, each line to its end (windowed strategies); else cheapest line first.
    bool depth_first() const { return windowed_; }
    // One good enough reply ends the work at a position from ply 2 on.
    bool cuts() const { return parameters_.kind == StrategyKind::halving; }
    // A move's price depends on all moves that may be good, so none is grown before no other one
    // can belong to the level.
    bool waits_for_all() const { return parameters_.kind == StrategyKind::minmax; }
    int horizon() const { return horizon_; } // plies

    // `rest_gap`: what a move not known yet is behind the best one at least, cp. It is priced as a
    // quiet move that comes after all that the engine has proposed.
    Prices prices(const Place& place, std::span<const Candidate> candidates, int rest_gap) const;

    LineCost along(const LineCost& line, chess::Color mover, double price) const;
    // The budget that a line needs; never less than that of its beginning.
    double needed(const LineCost& line) const;
    bool affords(const LineCost& line) const;
    // Moves that are followed whatever they cost: nothing inside the move distance is skipped at
    // plies 0 and 1, up to the level's number of plies. `base`: the line has no others.
    bool follows_anyway(int ply, int gap, bool base) const;
    bool establishes_anyway(int ply, int gap, bool base) const;
    // Whether at ply `a` nothing is left out that belongs to the level at ply `b`. (By a plan that
    // widens it may be.)
    bool no_narrower(int a, int b) const;
    // Whether a line of cost `a` can go on in all ways that one of cost `b` can.
    bool no_dearer(const LineCost& a, const LineCost& b) const;
    // Cost of counting for more than one ply.
    double shuffle_price(int extra_plies) const;

private:
    double in_window(const Place& place, int rank, int gap) const;
    double by_gap(int ply, int gap) const;
    double bonus(const Place& place, std::span<const Candidate> candidates) const;
    Prices summed(const Place& place, std::span<const Candidate> candidates,
                  std::span<const int> ranks, int rest_gap, int rest_rank) const;

    const StrategyParameters& parameters_;
    const Costs& costs_;
    bool windowed_;
    int level_;
    int horizon_;
    double budget_;
    bool narrows_;                // no ply follows more than the one before
    mutable Attention attention_; // keeps what it has looked up
};

} // namespace adjourn::analysis
