#include "summaries.hpp"

#include "base/line_reader.hpp"
#include "base/replace_file.hpp"
#include "core/health/guard.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <chrono>
#include <fstream>
#include <utility>

namespace adjourn::server {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds pause{20}; // between two looks

analysis::UnixMs clock_now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// "" where there is none yet.
std::string text_of(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return in ? base::read_all(in).value_or("") : "";
}

} // namespace

Summaries::Summaries(Threads threads, Core& core, Calls& calls, Webhooks& webhooks,
                     std::filesystem::path file)
    : threads_{threads}, core_{core}, calls_{calls}, file_{std::move(file)}, timer_{threads.core} {
    DailySummary::Outside outside;
    outside.clock = clock_now;
    // Trees that are still read would count as unchanged.
    outside.ask = [this](analysis::UnixMs since, std::function<void(DailySummary::Digest)> done) {
        core_.when_read([this, since, done = std::move(done)] { ask(since, done); });
    };
    outside.tell = [&webhooks](const WebhookNews& news, const std::string& name) {
        webhooks.tell(news, name);
    };
    outside.keep = [this](std::string text) { keep(std::move(text)); };
    daily_ = std::make_shared<DailySummary>(std::move(outside), text_of(file_));
}

void Summaries::start() {
    timer_.expires_after(pause);
    timer_.async_wait([this](const boost::system::error_code& stopped) {
        if (!stopped && daily_) {
            guarded("the daily summary", [this] { daily_->look(); });
            start();
        }
    });
}

void Summaries::stop() {
    timer_.cancel();
    daily_.reset(); // what it has asked for comes to nothing
}

void Summaries::ask(analysis::UnixMs since, const std::function<void(DailySummary::Digest)>& done) {
    http::Request request{
        http::Method::get, "/api/v1/summary", {{"since", std::to_string(since)}}, {}, ""};
    const auto tell = [&core = threads_.core, done](DailySummary::Digest digest) {
        asio::post(core, [done, digest = std::move(digest)] { done(digest); });
    };
    asio::co_spawn(threads_.http, calls_.answer(std::move(request)),
                   [&beside = threads_.beside, tell](const std::exception_ptr& trouble,
                                                     const http::Response& response) {
                       if (trouble || response.status != 200) {
                           return tell(std::nullopt);
                       }
                       asio::post(beside, [tell, body = response.body] {
                           DailySummary::Digest digest;
                           guarded("the daily summary", [&] { digest = summary_digest(body); });
                           tell(std::move(digest));
                       });
                   });
}

void Summaries::keep(std::string text) {
    asio::post(threads_.beside, [file = file_, text = std::move(text)] {
        guarded("the daily summary", [&] {
            if (const auto kept = base::replace_file(file, text); !kept) {
                spdlog::warn("{}: a webhook may get its summary again after a restart",
                             kept.error());
            }
        });
    });
}

} // namespace adjourn::server
