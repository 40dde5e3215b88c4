// Process: a child on an event loop. Bytes only: what the lines mean is the session's business.
#pragma once

#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/text.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::engine_bridge {

class ProcessGuard;

// Threads: everything is called from, and calls back on, one serial executor (a strand).
class Process {
public:
    struct Events {
        // The lines of one read. Called also after the child's death for what it wrote before.
        std::function<void(const LineBuffer::Lines&)> output;
        // Last call of all: dead, reaped, its group killed, all its last words delivered.
        std::function<void(ExitStatus)> exited;
    };

    // The guard, if any, must outlive the process.
    static std::expected<std::shared_ptr<Process>, SpawnError>
    start(const boost::asio::any_io_executor& executor, const std::vector<std::string>& command,
          Events events, ProcessGuard* guard = nullptr, const ResourceLimits& limits = {});

    virtual ~Process() = default;

    // Never blocks: what the pipe does not take now is kept and sent when it does.
    virtual void write(std::string_view bytes) = 0;
    // Closes its stdin once everything written is out.
    virtual void close_input() = 0;
    // The last lines of its stderr, fit for people; at most max_errors bytes of it are kept.
    virtual std::string errors() const = 0;
    // No event is delivered any more, and the loop is free of it. Does not kill.
    virtual void detach() = 0;
    virtual const std::shared_ptr<Child>& child() const = 0;

    static constexpr std::size_t max_errors = 4096;
};

// ProcessGuard: a helper process that kills our engines if we die without a chance to (kill -9, out
// of memory). Most engines leave when their stdin ends; some (GNU Chess) never do.

// Threads: not thread-safe; never blocks but for the start and the end.
class ProcessGuard {
public:
    // A guard that cannot be started leaves the engines unguarded, which is no error.
    ProcessGuard();
    ~ProcessGuard();
    ProcessGuard(const ProcessGuard&) = delete;
    ProcessGuard& operator=(const ProcessGuard&) = delete;

    // From now on the group is killed when we die.
    void add(int group);
    // REQUIRES: the group's leader is not yet reaped, so that its number is still its own.
    void remove(int group);

private:
    void tell(char verb, int group);

    std::shared_ptr<Child> child_;
    UniqueFd input_;
};

} // namespace adjourn::engine_bridge
