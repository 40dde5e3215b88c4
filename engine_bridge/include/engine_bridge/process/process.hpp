// Process: a child on an event loop. Bytes only: what the lines mean is the session's business.
#pragma once

#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/line_buffer.hpp"

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

} // namespace adjourn::engine_bridge
