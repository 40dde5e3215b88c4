// How long a move may take, when it has taken long enough, and how much a single
// evaluation may cost in that time. Pure: times come in as arguments.
#pragma once

#include "uci/command.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace adjourn::server::uci {

// From the start of the move.
struct Allotment {
    std::chrono::milliseconds optimum; // stop here if the choice has been stable
    std::chrono::milliseconds maximum; // stop here whatever happens

    friend bool operator==(const Allotment&, const Allotment&) = default;
};

// `overhead` is what is lost on the way from and to the clock, for each move. Nothing allotted
// exceeds clock − overhead, except that 1 ms is the least.
Allotment allot(const Clock& clock, std::optional<int> moves_to_go,
                std::chrono::milliseconds overhead);
// Of a fixed time for the move: all of it but the overhead, and no less than half.
Allotment allot(std::chrono::milliseconds movetime, std::chrono::milliseconds overhead);

// When a move is made though nobody has said a word of its position, counted like the above: in the
// middle of what the overhead leaves, or of what is on the clock; no later than most_wait. nullopt
// where no time is shown.
std::optional<std::chrono::milliseconds> longest_wait(const Clock& clock);
std::optional<std::chrono::milliseconds> longest_wait(std::chrono::milliseconds movetime,
                                                      std::chrono::milliseconds overhead);

inline constexpr std::chrono::milliseconds most_wait{5'000};

// `stable_since`: when the best move last changed. Both from the start of the move.
bool enough(const Allotment& allotment, std::chrono::milliseconds elapsed,
            std::chrono::milliseconds stable_since);

// Nodes of one evaluation, so that a worker of `nodes_per_second` makes about `evaluations` of them
// within `time`. Always a power of two: few different limits let later moves use the evaluations of
// earlier ones.
std::uint64_t evaluation_nodes(std::chrono::milliseconds time, double nodes_per_second,
                               double evaluations);

inline constexpr std::uint64_t least_evaluation_nodes = 128;
inline constexpr std::uint64_t most_evaluation_nodes = 1 << 22;

} // namespace adjourn::server::uci
