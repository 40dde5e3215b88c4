#include "summaries.hpp"

#include "base/line_reader.hpp"
#include "base/replace_file.hpp"
#include "core/guards/guard.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string_view>
#include <utility>

namespace adjourn::server {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds pause{20}; // between two looks
constexpr const char* summaries_name = "summaries.json";
constexpr const char* answers_name = "answers.json";
constexpr std::array<std::string_view, 2> radar_events{"radar", "letter"};

TimedSummary::Digest summary_now(const std::string& answer) {
    return summary_digest(answer);
}

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
                     std::filesystem::path directory, std::shared_ptr<AnswerLog> answers)
    : threads_{threads}, core_{core}, calls_{calls}, directory_{std::move(directory)},
      answers_{std::move(answers)}, kept_answers_{answers_->text()}, timer_{threads.core} {
    TimedSummary::Outside daily;
    daily.clock = clock_now;
    // Trees that are still read would count as unchanged.
    daily.ask = [this](analysis::UnixMs since, std::function<void(TimedSummary::Digest)> done) {
        core_.when_read([this, since, done = std::move(done)] {
            ask<TimedSummary::Digest>("/api/v1/summary", since, summary_now,
                                      [this, since, done, watched = std::weak_ptr{summary_}](
                                          const TimedSummary::Digest& digest) {
                                          if (digest && !watched.expired()) {
                                              add_radar(since, *digest, done);
                                          } else {
                                              done(digest);
                                          }
                                      });
        });
    };
    daily.tell = [&webhooks](const WebhookNews& news, const std::string& name) {
        webhooks.tell(news, name);
    };
    daily.keep = [this](std::string text) { keep(summaries_name, std::move(text)); };
    summary_ =
        std::make_shared<TimedSummary>(std::move(daily), text_of(directory_ / summaries_name));
    RadarWatch::Outside radar;
    radar.clock = clock_now;
    radar.ask = [this](analysis::UnixMs since, std::function<void(RadarWatch::Digest)> done) {
        core_.when_read([this, since, done = std::move(done)] {
            ask<RadarWatch::Digest>("/api/v1/radar", since, radar_digest, done);
        });
    };
    radar.wanted = [&webhooks] {
        return std::ranges::any_of(webhooks.states(), [](const Webhooks::State& state) {
            return std::ranges::find_first_of(state.events, radar_events) != state.events.end();
        });
    };
    radar.tell = [&webhooks](const WebhookNews& news) { webhooks.tell(news); };
    radar.asked = [this] { keep_answers(); };
    radar_ = std::make_shared<RadarWatch>(std::move(radar));
}

std::shared_ptr<AnswerLog> Summaries::answers_of(const std::filesystem::path& directory) {
    return std::make_shared<AnswerLog>(text_of(directory / answers_name));
}

void Summaries::start() {
    timer_.expires_after(pause);
    timer_.async_wait([this](const boost::system::error_code& stopped) {
        if (!stopped && summary_) {
            guarded("the summary", [this] { summary_->look(); });
            guarded("the radar", [this] { radar_->look(); });
            start();
        }
    });
}

void Summaries::stop() {
    timer_.cancel();
    summary_.reset(); // what they have asked for comes to nothing
    radar_.reset();
}

template <class Digest>
void Summaries::ask(const char* path, analysis::UnixMs since, Digest (*read)(const std::string&),
                    const std::function<void(Digest)>& done) {
    http::Request request{http::Method::get, path, {{"since", std::to_string(since)}}, {}, ""};
    const auto tell = [&core = threads_.core, done](Digest digest) {
        asio::post(core, [done, digest = std::move(digest)] { done(digest); });
    };
    asio::co_spawn(threads_.http, calls_.answer(std::move(request)),
                   [&beside = threads_.beside, tell, read](const std::exception_ptr& trouble,
                                                           const http::Response& response) {
                       if (trouble || response.status != 200) {
                           return tell(std::nullopt);
                       }
                       asio::post(beside, [tell, read, body = response.body] {
                           Digest digest;
                           guarded("what webhooks are told", [&] { digest = read(body); });
                           tell(std::move(digest));
                       });
                   });
}

void Summaries::add_radar(analysis::UnixMs since, const SummaryDigest& digest,
                          const std::function<void(TimedSummary::Digest)>& done) {
    ask<RadarWatch::Digest>("/api/v1/radar", since, radar_digest,
                            [digest, done](const RadarWatch::Digest& radar) {
                                done(radar ? with_radar(digest, *radar) : digest);
                            });
}

void Summaries::keep(const char* name, std::string text) {
    asio::post(threads_.beside, [file = directory_ / name, text = std::move(text)] {
        guarded("what webhooks are told", [&] {
            if (const auto kept = base::replace_file(file, text); !kept) {
                spdlog::warn("{}: after a restart it is not known what was told or answered before",
                             kept.error());
            }
        });
    });
}

void Summaries::keep_answers() {
    if (std::string text = answers_->text(); text != kept_answers_) {
        kept_answers_ = text;
        keep(answers_name, std::move(text));
    }
}

} // namespace adjourn::server
