// QuitLadder: how to get rid of a process, politely first. Pure: no I/O, no clock of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace adjourn::engine_bridge {

// "stop" if it searches → until bestmove, or wait → "quit" and end of its stdin → wait → SIGTERM →
// wait → SIGKILL → reap. "quit" waits for bestmove because GNU Chess loses what comes right behind
// "stop".
class QuitLadder {
public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Step : std::uint8_t { stop, quit, terminate, kill };

    // Before quitting begins: no step is due.
    explicit QuitLadder(std::chrono::milliseconds patience) : patience_{patience} {}

    // The first step is due at once: stop or quit.
    void begin(bool searching, Time now);
    bool begun() const { return next_ || done_; }
    // bestmove has come: quit need not wait.
    void search_over(Time now);
    // What to do at `now`; nullopt = go on waiting. Each step is returned once, in order.
    std::optional<Step> step(Time now);
    // When to call step() again; nullopt = nothing is left but to wait for the end.
    std::optional<Time> deadline() const;

private:
    std::chrono::milliseconds patience_;
    std::optional<Step> next_;
    Time due_{};
    bool done_ = false;
};

} // namespace adjourn::engine_bridge
