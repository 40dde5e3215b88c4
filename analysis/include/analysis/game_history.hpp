// Repetitions in the game before the root of an analysis.
#pragma once

#include "chess/position.hpp"

#include <span>
#include <vector>

namespace adjourn::analysis {

// Positions that occurred twice at least before the game's last one, and can still recur: a move to
// one of them is a draw. A position that occurred once is not counted: the side that is better
// would deviate. In the order of the game, without its last position. REQUIRES: legal moves.
std::vector<chess::Position> repeated_before(const chess::Position& start,
                                             std::span<const chess::Move> moves);

} // namespace adjourn::analysis
