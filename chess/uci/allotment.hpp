// How long a move may take by the clock, and when it has taken long enough. Pure: times come in as
// arguments.
#pragma once

#include "chess/uci/command.hpp"

#include <chrono>
#include <optional>

namespace adjourn::chess::uci {

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

// What a "go" allots the mover; nullopt: no time. A clock that is not told counts as run down.
std::optional<Allotment> allot(const Go& go, Color mover, std::chrono::milliseconds overhead);

// `stable_since`: when the best move last changed. Both from the start of the move.
bool enough(const Allotment& allotment, std::chrono::milliseconds elapsed,
            std::chrono::milliseconds stable_since);

} // namespace adjourn::chess::uci
