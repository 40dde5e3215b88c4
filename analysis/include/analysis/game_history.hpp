// What a game says of repetition before analysis begins.
#pragma once

#include "chess/position.hpp"

#include <span>
#include <vector>

namespace adjourn::analysis {

// Positions that occurred twice at least before the game's last one, and can still recur: a move to
// one of them is a draw. One earlier occurrence is none: whoever is better deviates. In the order
// in which they came; without the game's last position. The moves are legal, one after the other.
std::vector<chess::Position> repeated_before(const chess::Position& start,
                                             std::span<const chess::Move> moves);

} // namespace adjourn::analysis
