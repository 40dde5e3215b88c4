// Ranges: what the numbers of an answer may be, whoever tells them: an engine here, or a machine
// elsewhere. A line or a message with another number is refused, never taken to the nearest limit;
// of a line that an engine says, counters that cannot be (seldepth, nodes, time, nps, hashfull,
// tbhits) are set aside instead: counters overflow, and the score is none the worse.
#pragma once

#include "chess/score.hpp"

#include <cstdint>

namespace adjourn::engine_bridge::ranges {

inline constexpr int most_depth = 1'000; // plies, of depth and seldepth; from 0
inline constexpr std::uint64_t most_nodes = 1'000'000'000'000'000;
inline constexpr std::uint32_t most_time_ms = 0xffff'ffff;
inline constexpr int most_hashfull = 1'000; // permille
inline constexpr int most_mate = chess::most_told_mate;
inline constexpr int most_cp = chess::most_told_cp; // mates as centipawns: see uci::to_score()

} // namespace adjourn::engine_bridge::ranges
