#include "engine_bridge/process/child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

extern "C" { // which glibc 2.36 forgot in this header
#include <sys/pidfd.h>
}

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

void QuitLadder::begin(bool searching, Time now) {
    next_ = searching ? Step::stop : Step::quit;
    due_ = now;
}

void QuitLadder::search_over(Time now) {
    if (next_ == Step::quit) {
        due_ = now;
    }
}

std::optional<QuitLadder::Step> QuitLadder::step(Time now) {
    if (!next_ || now < due_) {
        return std::nullopt;
    }
    const Step step = *next_;
    due_ = now + patience_;
    switch (step) {
    case Step::stop: next_ = Step::quit; break;
    case Step::quit: next_ = Step::terminate; break;
    case Step::terminate: next_ = Step::kill; break;
    case Step::kill:
        next_.reset();
        done_ = true;
        break;
    }
    return step;
}

std::optional<QuitLadder::Time> QuitLadder::deadline() const {
    return next_ ? std::optional{due_} : std::nullopt;
}

} // namespace adjourn::engine_bridge
