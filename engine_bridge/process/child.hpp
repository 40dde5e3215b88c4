// Child: a started program from spawn to reap, in a process group of its own, with pipes to its
// standard streams.
#pragma once

#include "base/files.hpp"
#include "engine_bridge/process/profile.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::engine_bridge {

class EndWatch {
public:
    enum class Way : std::uint8_t {
        descriptor, // the kernel's pidfd
        thread,     // a thread that waits: where the kernel knows no pidfd (before Linux 5.3, some
                    // sandboxes, valgrind)
    };

    // Watches a child of this process that nobody has reaped. The error is errno.
    static std::expected<EndWatch, int> of(int pid);
    static std::expected<EndWatch, int> of(int pid, Way way);

    EndWatch(EndWatch&&) = default;
    EndWatch& operator=(EndWatch&&) = delete;
    // Blocks until the child has ended, if a thread waits for it: kill it before.
    ~EndWatch();

    // Readable once the child has ended, whether or not it is reaped. Valid as long as this.
    int fd() const { return fd_.get(); }

private:
    EndWatch(base::UniqueFd fd, std::thread waiter)
        : fd_{std::move(fd)}, waiter_{std::move(waiter)} {}

    base::UniqueFd fd_;
    std::thread waiter_;
};

using base::UniqueFd;

struct SpawnError {
    int code;            // errno
    std::string message; // names the program

    friend bool operator==(const SpawnError&, const SpawnError&) = default;
};

struct ExitStatus {
    enum class Kind : std::uint8_t {
        exited,    // number = exit code
        signalled, // number = signal
        unknown,   // somebody else reaped it
    };
    Kind kind = Kind::unknown;
    int number = 0;

    friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// "exited with code 1", "was killed by signal 4 (Illegal instruction): …".
std::string to_text(ExitStatus status);

// Thread-safe. Between spawn and reap the process id cannot be used again, so signals sent from
// here never reach a stranger.
class Child {
public:
    // Kills the whole group and waits for the child if nobody did before.
    ~Child();

    int pid() const { return pid_; }
    // Readable once the child has ended. Valid as long as the Child.
    int end_fd() const { return end_.fd(); }
    // To every process of the child's group. Nothing happens once the child is reaped.
    void signal(int number);
    // The status once the child has ended, and again at every later call. Does not block.
    std::optional<ExitStatus> reap();
    // SIGKILL to the group, then waits (briefly).
    ExitStatus kill();

private:
    friend struct Spawned;
    friend std::expected<struct Spawned, SpawnError> spawn(const std::vector<std::string>& command,
                                                           const ResourceLimits& limits);
    Child(int pid, EndWatch end) : pid_{pid}, end_{std::move(end)} {}
    std::optional<ExitStatus> wait(int options); // REQUIRES: lock held

    std::mutex mutex_;
    const int pid_;
    const EndWatch end_;
    std::optional<ExitStatus> status_;
};

// Our ends of the pipes are non-blocking and close-on-exec.
struct Spawned {
    std::shared_ptr<Child> child;
    UniqueFd input;  // to its stdin
    UniqueFd output; // from its stdout
    UniqueFd errors; // from its stderr
};

// Starts command[0] (searched in PATH if it has no slash) with the rest as arguments. The child
// gets its own process group, an empty signal mask and the default SIGPIPE; of our descriptors it
// inherits none. A program that cannot be executed is a plain error and leaves no process. The
// first call makes this process ignore SIGPIPE unless a handler is set, as writing to a dead child
// is expected. Limits hold from when the program is executed. Thread-safe; blocks until then.
std::expected<Spawned, SpawnError> spawn(const std::vector<std::string>& command,
                                         const ResourceLimits& limits = {});

// QuitLadder: how to get rid of a process, politely first. Pure: no I/O, no clock of its own.

// "stop" if it searches → until bestmove, or wait → "quit" and end of its stdin → wait → SIGTERM →
// wait → SIGKILL → reap. "quit" waits for bestmove because GNU Chess loses what comes right behind
// "stop".
class QuitLadder {
public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Step : std::uint8_t { stop, quit, terminate, kill };

    // Before quitting begins: no step is due.
    explicit QuitLadder(std::chrono::milliseconds patience) : patience_{patience} {}

    // The first step is due at once: stop or quit.
    void begin(bool searching, Time now);
    bool begun() const { return next_ || done_; }
    // bestmove has come: quit need not wait.
    void search_over(Time now);
    // What to do at `now`; nullopt = go on waiting. Each step is returned once, in order.
    std::optional<Step> step(Time now);
    // When to call step() again; nullopt = nothing is left but to wait for the end.
    std::optional<Time> deadline() const;

private:
    std::chrono::milliseconds patience_;
    std::optional<Step> next_;
    Time due_{};
    bool done_ = false;
};

} // namespace adjourn::engine_bridge
