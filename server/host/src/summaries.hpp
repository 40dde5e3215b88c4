// Summaries: looks a few times a minute whether a webhook is to be told what changed, asks the
// API, and keeps when each was told in a file.
#pragma once

#include "api/webhooks/daily_summary.hpp"
#include "calls.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace adjourn::server {

// On the core's thread, once that runs.
class Summaries {
public:
    // The threads that it uses.
    struct Threads {
        boost::asio::io_context& core;
        boost::asio::io_context& http;    // calls the API, as the listener does
        boost::asio::thread_pool& beside; // reads answers, writes the file
    };
    // All of them must outlive it, but the core, which may be gone once stop() was called.
    Summaries(Threads threads, Core& core, Calls& calls, Webhooks& webhooks,
              std::filesystem::path file);

    void set(const std::vector<WebhookSettings>& webhooks) { daily_->set(webhooks); }
    void start();
    // Once; before the calls are stopped.
    void stop();

private:
    void ask(analysis::UnixMs since, const std::function<void(DailySummary::Digest)>& done);
    void keep(std::string text);

    Threads threads_;
    Core& core_;
    Calls& calls_;
    std::filesystem::path file_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<DailySummary> daily_;
};

} // namespace adjourn::server
