// QuitLadder: how to get rid of a process, politely first. Pure: no I/O, no clock of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace adjourn::engine_bridge {

// ask ("stop" if searching, "quit", close stdin) → wait → SIGTERM → wait → SIGKILL → reap.
class QuitLadder {
public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Step : std::uint8_t { ask, terminate, kill };

    explicit QuitLadder(std::chrono::milliseconds patience) : patience_{patience} {}

    // What to do at `now`; nullopt = go on waiting. Each step is returned once, in order.
    std::optional<Step> step(Time now);
    // When to call step() again; nullopt = nothing is left but to wait for the end.
    std::optional<Time> deadline() const { return deadline_; }

private:
    std::chrono::milliseconds patience_;
    std::optional<Step> last_;
    std::optional<Time> deadline_;
};

} // namespace adjourn::engine_bridge
