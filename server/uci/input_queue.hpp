// InputQueue: what the front end waits for: lines from the GUI, and news from the analysis.
// Thread-safe.
#pragma once

#include "base/unique_fd.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

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

// Reader: the thread that hands the GUI's lines to the input queue.

class Reader {
public:
    // Reads `input`; pushes "quit" when `stop` becomes readable (−1 = never). The input queue must
    // outlive it. Throws std::system_error if there are no descriptors or threads
    // left.
    Reader(int input, int stop, InputQueue& input_queue);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader(); // ends the reading and waits for the thread

private:
    base::UniqueFd leave_; // a pipe: closing what holds it makes this end readable
    base::UniqueFd hold_;
    std::thread thread_;
};

} // namespace adjourn::server::uci
