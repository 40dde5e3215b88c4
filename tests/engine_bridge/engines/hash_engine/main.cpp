// hash_engine: a UCI engine for tests. Its answers are a pure function of the option Seed, the
// position and the limit; it takes the option AnswerMs milliseconds for each (movetime: its own),
// asleep, so that dozens of them run on one core. Jitter varies that time by so many percent. With
// Warm the answers also depend on what was searched since ucinewgame, as they do with real engines.
// --faults=N: of 10,000 searches N have each kind of fault (faults.hpp). Other arguments mean
// nothing; a test knows its processes by them.
#include "engine.hpp"
#include "faults.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

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

int faults_of(int argc, char** argv) {
    constexpr std::string_view name = "--faults=";
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument{argv[i]};
        if (argument.starts_with(name)) {
            return adjourn::base::parse_number<int>(argument.substr(name.size())).value_or(0);
        }
    }
    return 0;
}

// The second answer of Fault::late is said so long after the first.
constexpr std::chrono::milliseconds lateness{2};

} // namespace

int main(int argc, char** argv) {
    using hash_engine::Fault;
    hash_engine::Engine engine;
    hash_engine::Faults faults{faults_of(argc, argv)};
    std::optional<Fault> fault; // of the search that runs
    std::string late;           // said at late_at
    std::optional<std::chrono::steady_clock::time_point> late_at;
    bool stubborn = false;
    std::string input;
    while (true) {
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        auto deadline = engine.deadline();
        if (late_at) {
            deadline = deadline ? std::min(*deadline, *late_at) : *late_at;
        }
        const timespec left = deadline ? until(*deadline) : timespec{};
        const int ready = ::ppoll(&wait, 1, deadline ? &left : nullptr, nullptr);
        const auto now = std::chrono::steady_clock::now();
        if (late_at && now >= *late_at) {
            print(late);
            late_at.reset();
        }
        if (ready > 0) {
            std::array<char, 4096> bytes; // NOLINT: filled by read
            const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (count <= 0) {
                if (stubborn) {
                    ::pause();
                }
                return 0;
            }
            input.append(bytes.data(), static_cast<std::size_t>(count));
            for (std::size_t end = input.find('\n'); end != input.npos; end = input.find('\n')) {
                const auto line = std::string_view{input}.substr(0, end);
                if (line.starts_with("go")) {
                    fault = faults.draw();
                    stubborn = stubborn || fault == Fault::stubborn;
                    if (fault) {
                        hash_engine::begin(*fault);
                    }
                }
                if (!engine.command(line, now) && !stubborn) {
                    return 0;
                }
                input.erase(0, end + 1);
            }
        }
        engine.time(now);
        std::string output = engine.take_output();
        if (const auto answer = hash_engine::answer_line(output); !answer.empty()) {
            if (fault == Fault::late) {
                late = answer;
                late_at = now + lateness;
            }
            output = spoilt(std::exchange(fault, std::nullopt), std::move(output));
        }
        if (!print(output)) {
            return 0;
        }
    }
}
