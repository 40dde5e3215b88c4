#include "host/radar_timer.hpp"

#include "base/files.hpp"
#include "base/line_reader.hpp"
#include "core/guards/guard.hpp"

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

ToldMoments read_moments(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return read_told_moments(in ? base::read_all(in).value_or("") : "");
}

void write_moments(const std::filesystem::path& file, const ToldMoments& moments) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error); // if not, nothing is written
    if (const auto kept = base::replace_file(file, to_text(moments)); !kept) {
        spdlog::warn("{}: after a restart it is not known which summaries were told", kept.error());
    }
}

} // namespace

RadarTimer::RadarTimer(Threads threads, Core& core, Calls& calls, Webhooks& webhooks,
                       const std::filesystem::path& file)
    : threads_{threads}, calls_{calls}, timer_{threads.core} {
    RadarWatch::Outside outside;
    outside.clock = clock_now;
    // Trees that are still read would count as unchanged.
    outside.ask = [this, &core](analysis::UnixMs since,
                                std::function<void(RadarWatch::News)> done) {
        core.when_read([this, since, done = std::move(done)] { ask(since, done); });
    };
    outside.tell = [&webhooks](const WebhookNews& news, const std::string& name) {
        webhooks.tell(news, name);
    };
    outside.keep = [&beside = threads.beside, file](const ToldMoments& moments) {
        asio::post(beside, [file, moments] {
            guarded("what webhooks are told", [&] { write_moments(file, moments); });
        });
    };
    watch_ = std::make_shared<RadarWatch>(std::move(outside), read_moments(file));
}

void RadarTimer::start() {
    timer_.expires_after(pause);
    timer_.async_wait([this](const boost::system::error_code& stopped) {
        if (!stopped && watch_) {
            guarded("what webhooks are told", [this] { watch_->look(); });
            start();
        }
    });
}

void RadarTimer::stop() {
    timer_.cancel();
    watch_.reset(); // what it has asked for comes to nothing
}

void RadarTimer::ask(analysis::UnixMs since, const std::function<void(RadarWatch::News)>& done) {
    http::Request request{
        http::Method::get, "/api/v1/radar", {{"since", std::to_string(since)}}, {}, ""};
    const auto tell = [&core = threads_.core, done](RadarWatch::News news) {
        asio::post(core, [done, news = std::move(news)] { done(news); });
    };
    asio::co_spawn(threads_.http, calls_.answer(std::move(request)),
                   [&beside = threads_.beside, tell](const std::exception_ptr& trouble,
                                                     const http::Response& response) {
                       if (trouble || response.status != 200) {
                           return tell(std::nullopt);
                       }
                       asio::post(beside, [tell, body = response.body] {
                           RadarWatch::News news;
                           guarded("what webhooks are told", [&] { news = radar_news(body); });
                           tell(std::move(news));
                       });
                   });
}

} // namespace adjourn::server
