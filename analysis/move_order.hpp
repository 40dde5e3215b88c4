// MoveOrder: the one order in which the moves of a position are listed, so that the first row of a
// table, the best move, the variation and the main line of an export are the same move.
#pragma once

#include "analysis/graph.hpp"

#include <tuple>

namespace adjourn::analysis {

// Whether a move's value is more than the engine's score of it: its target was searched or is known
// exactly, or the engine sees the win.
inline bool judged_below(const Graph& graph, const GraphMove& move) {
    return graph.expanded(move.target) || graph.exact(move.target) || move.engine_score.is_win();
}

// What sorts ascending, best move first: by value (mover's side, of whatever kind the list is
// about), of equal values what is judged below before what is not, then the larger effort, then the
// smaller move. Different for any two moves of a position.
using MoveOrder = std::tuple<int, bool, double, chess::Move>;

inline MoveOrder move_order(const Graph& graph, const GraphMove& move, chess::Score value) {
    return {-value.rank(), !judged_below(graph, move), -move.effort, move.move};
}

} // namespace adjourn::analysis
