// hash_engine: a UCI engine for tests. Its answers are a pure function of the option Seed, the
// position and the limit; it takes the option AnswerMs milliseconds for each (movetime: its own),
// asleep, so that dozens of them run on one core. Jitter varies that time by so many percent. With
// Warm the answers also depend on what was searched since ucinewgame, as they do with real engines.
#include "engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace {

bool print(std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(STDOUT_FILENO, text.data(), text.size());
        if (sent < 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

timespec until(std::chrono::steady_clock::time_point deadline) {
    const auto left = std::max(deadline - std::chrono::steady_clock::now(),
                               std::chrono::steady_clock::duration::zero());
    const auto seconds = duration_cast<std::chrono::seconds>(left);
    return {seconds.count(), std::chrono::nanoseconds{left - seconds}.count()};
}

} // namespace

int main() {
    hash_engine::Engine engine;
    std::string input;
    while (true) {
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        const auto deadline = engine.deadline();
        const timespec left = deadline ? until(*deadline) : timespec{};
        const int ready = ::ppoll(&wait, 1, deadline ? &left : nullptr, nullptr);
        const auto now = std::chrono::steady_clock::now();
        if (ready > 0) {
            std::array<char, 4096> bytes; // NOLINT: filled by read
            const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (count <= 0) {
                return 0;
            }
            input.append(bytes.data(), static_cast<std::size_t>(count));
            for (std::size_t end = input.find('\n'); end != input.npos; end = input.find('\n')) {
                if (!engine.command(std::string_view{input}.substr(0, end), now)) {
                    return 0;
                }
                input.erase(0, end + 1);
            }
        }
        engine.time(now);
        if (!print(engine.take_output())) {
            return 0;
        }
    }
}
