#include "radar_timer.hpp"

#include "core/guards/guard.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
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

} // namespace

RadarTimer::RadarTimer(Threads threads, Core& core, Calls& calls, Webhooks& webhooks)
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
    watch_ = std::make_shared<RadarWatch>(std::move(outside));
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
