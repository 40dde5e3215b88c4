// How long a move may wait for a first word, and how much a single evaluation may cost in the time
// that chess/uci/allotment.hpp allots. Pure: times come in as arguments.
#pragma once

#include "chess/uci/allotment.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace adjourn::server::uci {

using chess::uci::Allotment;
using chess::uci::Clock;

// When a move is made though nobody has said a word of its position, counted as an allotment is: in
// the middle of what the overhead leaves, or of what is on the clock; no later than most_wait.
// nullopt where no time is shown.
std::optional<std::chrono::milliseconds> longest_wait(const Clock& clock);
std::optional<std::chrono::milliseconds> longest_wait(std::chrono::milliseconds movetime,
                                                      std::chrono::milliseconds overhead);

inline constexpr std::chrono::milliseconds most_wait{5'000};

// Nodes of one evaluation, so that a worker of `nodes_per_second` makes about `evaluations` of them
// within `time`. Always a power of two: few different limits let later moves use the evaluations of
// earlier ones.
std::uint64_t evaluation_nodes(std::chrono::milliseconds time, double nodes_per_second,
                               double evaluations);

inline constexpr std::uint64_t least_evaluation_nodes = 128;
inline constexpr std::uint64_t most_evaluation_nodes = 1 << 22;

} // namespace adjourn::server::uci
