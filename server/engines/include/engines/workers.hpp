// Workers: whoever answers questions of one engine profile, as the core sees them. The real ones
// are a pool of processes; tests put simulated ones in their place.
#pragma once

#include "engine_bridge/pool.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>

namespace adjourn::server {

class Workers {
public:
    // `done` may be called on any thread, the others on the core's. The functions below are called
    // on the core's thread, but for status(), which any thread may call and which does not block.
    using Callbacks = engine_bridge::Pool::Callbacks;

    virtual ~Workers() = default;
    virtual void start() = 0;
    virtual void submit(engine_bridge::Job job) = 0;
    virtual void cancel(engine_bridge::JobId job) = 0;
    // A job that has not started goes before all that are not urgent.
    virtual void hurry(engine_bridge::JobId job) = 0;
    virtual void stop(std::function<void()> stopped) = 0;
    virtual std::vector<engine_bridge::ProcessStatus> status() const = 0;
    virtual std::size_t room() const = 0;
};

using WorkersFactory =
    std::function<std::unique_ptr<Workers>(const engine_bridge::Profile&, Workers::Callbacks)>;

// Processes that live on `bridge`'s thread and report to `core`'s.
WorkersFactory process_workers(boost::asio::io_context& bridge, boost::asio::io_context& core,
                               engine_bridge::Timeouts timeouts = {});

} // namespace adjourn::server
