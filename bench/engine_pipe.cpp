#include "bench/engine_pipe.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::bench {

namespace {

constexpr int room_ms = 5'000; // for a command to fit into the pipe

} // namespace

EnginePipe::End::~End() {
    if (fd >= 0) {
        close(fd);
    }
}

EnginePipe::EnginePipe(std::vector<std::string> command) : command_{std::move(command)} {
    End its_input;
    End its_output;
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail("no pipe");
    }
    its_input.fd = ends[0];
    to_.fd = ends[1];
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail("no pipe");
    }
    from_.fd = ends[0];
    its_output.fd = ends[1];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, its_input.fd, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, its_output.fd, STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& part : command_) {
        arguments.push_back(part.data());
    }
    arguments.push_back(nullptr);
    const int trouble = posix_spawnp(&process_, command_.front().c_str(), &actions, nullptr,
                                     arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (trouble != 0) {
        process_ = -1;
        fail("does not start");
    }
}

EnginePipe::~EnginePipe() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void EnginePipe::fail(const std::string& what) const {
    throw std::runtime_error(command_.front() + ": " + what);
}

void EnginePipe::send(const std::string& line) {
    // A dead engine must not kill us by SIGPIPE: the pipe is looked at first.
    pollfd writable{to_.fd, POLLOUT, 0};
    const std::string whole = line + "\n";
    if (poll(&writable, 1, room_ms) != 1 || (writable.revents & POLLERR) != 0 ||
        write(to_.fd, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
        fail("is gone");
    }
}

std::string EnginePipe::line(Clock::time_point deadline) {
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            std::string text = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            if (text.ends_with('\r')) {
                text.pop_back();
            }
            return text;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd readable{from_.fd, POLLIN, 0};
        if (left <= 0 || poll(&readable, 1, static_cast<int>(left)) < 1) {
            fail("is silent");
        }
        std::array<char, 4096> chunk{};
        const ssize_t got = ::read(from_.fd, chunk.data(), chunk.size());
        if (got <= 0) {
            fail("is gone");
        }
        buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace adjourn::bench
