// RadarTimer: looks a few times a minute whether webhooks are to be told what came up, and asks the
// API, and keeps in a file when those with a time were told.
#pragma once

#include "api/webhooks/radar_watch.hpp"
#include "host/calls.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace adjourn::server {

// On the core's thread, once that runs.
class RadarTimer {
public:
    // The threads that it uses.
    struct Threads {
        boost::asio::io_context& core;
        boost::asio::io_context& http;    // calls the API, as the listener does
        boost::asio::thread_pool& beside; // reads answers, writes the file
    };
    // All of them must outlive it, but the core, which may be gone once stop() was called. Reads
    // the file; one that is missing or damaged tells of nothing.
    RadarTimer(Threads threads, Core& core, Calls& calls, Webhooks& webhooks,
               const std::filesystem::path& file);

    void set(const std::vector<WebhookSettings>& webhooks) { watch_->set(webhooks); }
    void start();
    // Once; before the calls are stopped.
    void stop();

private:
    void ask(analysis::UnixMs since, const std::function<void(RadarWatch::News)>& done);

    Threads threads_;
    Calls& calls_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<RadarWatch> watch_;
};

} // namespace adjourn::server
