// MoveOrder: the one order in which the moves of a position are listed, so that the first row of a
// table, the best move, the variation and the main line of an export are the same move.
#pragma once

#include "analysis/graph_move.hpp"

#include <tuple>

namespace adjourn::analysis {

// What sorts ascending, best move first: by value (mover's side, of whatever kind the list is
// about), equal values by the larger effort, then by the smaller move. Different for any two moves
// of a position.
using MoveOrder = std::tuple<int, double, chess::Move>;

inline MoveOrder move_order(const GraphMove& move, chess::Score value) {
    return {-value.rank(), -move.effort, move.move};
}

} // namespace adjourn::analysis
