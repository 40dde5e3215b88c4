// Bound: how an engine means the score of an info line, for the side to move: as it is, at least
// so good (lower), or at most so good (upper).
#pragma once

#include <cstdint>

namespace adjourn::chess {

enum class Bound : std::uint8_t { exact, lower, upper };

} // namespace adjourn::chess
