// InputQueue: what the front end waits for: lines from the GUI, and news from the analysis.
// Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace adjourn::server::uci {

class InputQueue {
public:
    using Clock = std::chrono::steady_clock;

    struct Line {
        std::string text;
        Clock::time_point at; // when it was read
        // Not known of a line that was longer than 64 KiB; none at the end of the input.
        enum class Kind : std::uint8_t { text, left_out, end };
        Kind kind = Kind::text;
    };

    void push(Line line);
    // There is news that is no line; wait_until() returns.
    void notify();
    // The next line; nullopt when notified, or at `deadline` (nullopt = none).
    std::optional<Line> wait_until(std::optional<Clock::time_point> deadline);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Line> lines_;
    bool notified_ = false;
};

// Reads lines from `input` into the input queue, and tells its end, until one of the others becomes
// readable (−1 = none); then pushes "quit". Blocks. Of a line of more than 64 KiB it says only that
// there was one.
void read_lines(int input, int stop, int leave, InputQueue& input_queue);

} // namespace adjourn::server::uci
