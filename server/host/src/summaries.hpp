// Summaries: looks a few times a minute whether a webhook is to be told what changed or what came
// up, asks the API, and keeps when each was told, and what analyses answered, in files.
#pragma once

#include "api/views/answer_log.hpp"
#include "api/webhooks/radar_watch.hpp"
#include "api/webhooks/timed_summary.hpp"
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
              std::filesystem::path directory, std::shared_ptr<AnswerLog> answers);

    // What such a directory has of former answers.
    static std::shared_ptr<AnswerLog> answers_of(const std::filesystem::path& directory);

    void set(const std::vector<WebhookSettings>& webhooks) { summary_->set(webhooks); }
    void start();
    // Once; before the calls are stopped.
    void stop();

private:
    // `read` makes a digest of the text that the call answers, on another thread.
    template <class Digest>
    void ask(const char* path, analysis::UnixMs since, Digest (*read)(const std::string&),
             const std::function<void(Digest)>& done);
    // Calls `done` with the digest and what came up meanwhile, as far as that can be known.
    void add_radar(analysis::UnixMs since, const SummaryDigest& digest,
                   const std::function<void(TimedSummary::Digest)>& done);
    void keep(const char* name, std::string text);
    void keep_answers();

    Threads threads_;
    Core& core_;
    Calls& calls_;
    std::filesystem::path directory_;
    std::shared_ptr<AnswerLog> answers_;
    std::string kept_answers_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<TimedSummary> summary_;
    std::shared_ptr<RadarWatch> radar_;
};

} // namespace adjourn::server
