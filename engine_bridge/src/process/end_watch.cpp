#include "engine_bridge/process/end_watch.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern "C" { // which glibc 2.36 forgot in this header
#include <sys/pidfd.h>
}

namespace adjourn::engine_bridge {

using base::UniqueFd;

std::expected<EndWatch, int> EndWatch::of(int pid) {
    auto watch = of(pid, Way::descriptor);
    if (!watch && (watch.error() == ENOSYS || watch.error() == EPERM)) {
        return of(pid, Way::thread); // EPERM: what filters of system calls say
    }
    return watch;
}

std::expected<EndWatch, int> EndWatch::of(int pid, Way way) {
    if (way == Way::descriptor) {
        UniqueFd fd{::pidfd_open(pid, 0)};
        if (!fd.open()) {
            return std::unexpected(errno);
        }
        return EndWatch{std::move(fd), {}};
    }
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return std::unexpected(errno);
    }
    UniqueFd read{ends[0]};
    UniqueFd write{ends[1]};
    try {
        // WNOWAIT: the status stays for who reaps. If that was done before, ECHILD says the same.
        std::thread waiter{[pid, end = std::move(write)] {
            sigset_t all;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
            siginfo_t info{};
            while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
                   errno == EINTR) {
            }
        }}; // `end` is closed with it, which makes the other end readable
        return EndWatch{std::move(read), std::move(waiter)};
    } catch (const std::system_error& error) {
        return std::unexpected(error.code().value());
    }
}

EndWatch::~EndWatch() {
    if (waiter_.joinable()) {
        waiter_.join();
    }
}

} // namespace adjourn::engine_bridge
