// The front end: the conversation of `adjourn uci` with a GUI, from the first line to the
// last. docs/operate/uci.md says what it does with each command.
#pragma once

#include "base/files.hpp"
#include "host/config.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace adjourn::server::uci {

// InputQueue: what the front end waits for: lines from the GUI, and news from the analysis.
// Thread-safe.

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
    ~Reader(); // ends the reading and waits for the thread

private:
    base::UniqueFd leave_; // a pipe: closing what holds it makes this end readable
    base::UniqueFd hold_;
    std::thread thread_;
};

struct FrontEndOptions {
    std::filesystem::path data; // the store that keeps the evaluations
    int input = 0;              // descriptors
    int output = 1;
    int stop = -1; // readable when it is time to go, as "quit" says; −1 = none
    // For an engine that says nothing at its start; then "readyok" comes without it.
    std::chrono::milliseconds patience{10'000};
    // Called on the threads that work for the front end: before the analysis is opened, and on the
    // core's before it hears of a search. Tests hold them there.
    std::function<void()> before_request = {};
    std::string server = {}; // URL of the server that has the store; "" = whoever has `data`
};

// Blocks until "quit", the end of the input and of a search with a limit, or an output that nobody
// reads any more. REQUIRES: config.engines is not empty.
void run_front_end(Config config, FrontEndOptions options);

} // namespace adjourn::server::uci
