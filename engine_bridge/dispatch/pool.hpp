// Pool: the processes of one engine profile, each at a place of the dispatcher's. They search and
// report; which question comes next, and whether one is tried again, is the dispatcher's business.
// Dead or hung processes, and those whose answers are out of step, are replaced with backoff.
//
// Threads: the pool and its sessions live on the io_context given; start(), status() and stop() may
// be called from any thread. Callbacks run on the io_context and must not block.
#pragma once

#include "engine_bridge/dispatch/dispatcher.hpp"
#include "engine_bridge/dispatch/processes.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace adjourn::engine_bridge {

class Pool final : public Processes {
public:
    // REQUIRES: profile.count > 0. The dispatcher knows the profile as `id`.
    Pool(boost::asio::io_context& context, std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
         Profile profile, Timeouts timeouts, Callbacks callbacks);
    // Kills what is left, at once. No callback is called any more. REQUIRES: no other thread runs
    // the io_context, unless stop() has completed; the io_context still exists.
    ~Pool() override;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void start() override;
    void stop(std::function<void()> stopped) override;
    std::vector<ProcessStatus> status() const override;

private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

// Makes pools that live on that context.
ProcessesFactory pools(boost::asio::io_context& context, Timeouts timeouts = {});

} // namespace adjourn::engine_bridge
