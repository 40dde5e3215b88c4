#include "engine_bridge/process/child.hpp"

#include <csignal>
#include <cstring>
#include <sys/wait.h>

namespace adjourn::engine_bridge {

std::string to_text(ExitStatus status) {
    switch (status.kind) {
    case ExitStatus::Kind::exited:
        return "exited with code " + std::to_string(status.number) +
               (status.number == 127 ? " (program or library not found?)" : "");
    case ExitStatus::Kind::signalled: {
        const char* name = ::sigdescr_np(status.number);
        return "was killed by signal " + std::to_string(status.number) + " (" +
               (name != nullptr ? name : "unknown") + ")" +
               (status.number == SIGILL ? ": the program is not made for this CPU" : "");
    }
    case ExitStatus::Kind::unknown: break;
    }
    return "ended with unknown status";
}

Child::~Child() {
    kill();
}

void Child::signal(int number) {
    const std::scoped_lock lock{mutex_};
    if (!status_) {
        ::kill(-pid_, number); // fails only if nobody is left in the group
    }
}

std::optional<ExitStatus> Child::reap() {
    const std::scoped_lock lock{mutex_};
    return wait(WNOHANG);
}

ExitStatus Child::kill() {
    const std::scoped_lock lock{mutex_};
    if (!status_) {
        ::kill(-pid_, SIGKILL);
    }
    return *wait(0);
}

std::optional<ExitStatus> Child::wait(int options) {
    if (status_) {
        return status_;
    }
    // By number, which stays the child's own until this: Asio makes the pidfd non-blocking, and
    // with that even a blocking P_PIDFD returns EAGAIN.
    siginfo_t info{};
    int failed = 0;
    do {
        failed = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | options);
    } while (failed != 0 && errno == EINTR);
    if (failed != 0) {
        status_ =
            ExitStatus{}; // ECHILD: SIGCHLD is ignored in this process, or somebody was quicker
    } else if (info.si_pid == 0) {
        return std::nullopt;
    } else if (info.si_code == CLD_EXITED) {
        status_ = ExitStatus{ExitStatus::Kind::exited, info.si_status};
    } else {
        status_ = ExitStatus{ExitStatus::Kind::signalled, info.si_status};
    }
    return status_;
}

} // namespace adjourn::engine_bridge
