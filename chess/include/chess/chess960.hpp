// The 960 start positions by their numbers (R. Scharnagl's, as everybody numbers them: 518 is the
// usual one).
#pragma once

#include "chess/position.hpp"

#include <optional>

namespace adjourn::chess {

inline constexpr int chess960_count = 960;

// Precondition: 0 ≤ number < 960.
Position chess960_start(int number);
// Nothing if the position is none of them (pieces, turn or castling rights differ).
std::optional<int> chess960_number(const Position& position);

} // namespace adjourn::chess
