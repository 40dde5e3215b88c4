#include "perft_stockfish.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::bench {

StockfishPerft::StockfishPerft(const std::string& program) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0) {
        return;
    }
    if (pipe2(out.data(), O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string name = program;
    std::array<char*, 2> arguments{name.data(), nullptr};
    if (posix_spawnp(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ) !=
        0) {
        process_ = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
    if (process_ > 0 && send("setoption name UCI_Chess960 value true\nisready\n")) {
        ready_ = await("readyok", Clock::now() + std::chrono::seconds{20}).has_value();
    }
}

StockfishPerft::~StockfishPerft() {
    if (to_ >= 0) {
        close(to_);
        close(from_);
    }
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

bool StockfishPerft::send(const std::string& text) {
    // A dead engine must not kill us by SIGPIPE; the pipe is checked for room and a reader first.
    pollfd writable{to_, POLLOUT, 0};
    if (poll(&writable, 1, 5'000) != 1 || (writable.revents & POLLERR) != 0) {
        return false;
    }
    return write(to_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<std::string> StockfishPerft::await(const std::string& prefix,
                                                 Clock::time_point deadline) {
    for (;;) {
        for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
            const std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            if (line.starts_with(prefix)) {
                return line.substr(prefix.size());
            }
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd readable{from_, POLLIN, 0};
        if (left <= 0 || poll(&readable, 1, static_cast<int>(left)) < 1) {
            return std::nullopt;
        }
        std::array<char, 4096> chunk{};
        const ssize_t got = ::read(from_, chunk.data(), chunk.size());
        if (got <= 0) {
            return std::nullopt;
        }
        buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

std::optional<StockfishPerft::Count> StockfishPerft::count(const std::string& fen, int depth) {
    const auto start = Clock::now();
    if (!send("position fen " + fen + "\ngo perft " + std::to_string(depth) + "\n")) {
        return std::nullopt;
    }
    const auto answer = await("Nodes searched: ", start + std::chrono::minutes{30});
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    if (!answer) {
        return std::nullopt;
    }
    return Count{std::strtoull(answer->c_str(), nullptr, 10), elapsed.count()};
}

} // namespace adjourn::bench
