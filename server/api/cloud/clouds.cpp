#include "api/cloud/clouds.hpp"

#include "core/guards/guard.hpp"
#include "http/requests/target.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace adjourn::server {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_cloud_bytes = 64U << 10; // of an answer
constexpr std::size_t most_looks = 8;               // that wait; then those that came first go
constexpr milliseconds cloud_patience{10'000};      // of a request
constexpr milliseconds most_rest{3'600'000};

} // namespace

struct Clouds::Impl {
    using Clock = std::chrono::steady_clock;
    struct Asked {
        chess::Position position;
        Look look;
    };
    struct Cloud {
        const CloudSource* source;
        HttpLink link;
        std::deque<Asked> waiting{};
        std::optional<chess::Position> under_way{};
        milliseconds rest{0};    // 0: its last answer was good
        Clock::time_point due{}; // before it nothing is asked
    };

    bool takes(const Cloud& cloud, const chess::Position& position) const {
        return (cloud.rest.count() == 0 || Clock::now() >= cloud.due) &&
               cloud.under_way != position &&
               std::ranges::find(cloud.waiting, position, &Asked::position) == cloud.waiting.end();
    }

    void run() {
        std::unique_lock lock{mutex};
        while (!closed) {
            Cloud* next = nullptr;
            for (const auto& cloud : clouds) {
                if (!cloud->waiting.empty() && (next == nullptr || cloud->due < next->due)) {
                    next = cloud.get();
                }
            }
            if (next == nullptr) {
                changed.wait(lock);
            } else if (const auto due = next->due; due > Clock::now()) {
                changed.wait_until(lock, due);
            } else {
                const Asked asked = next->waiting.front();
                next->waiting.pop_front();
                next->under_way = asked.position;
                lock.unlock();
                const auto [trouble, after] = answer(*next, asked);
                lock.lock();
                next->under_way.reset();
                took(*next, trouble, after);
            }
        }
    }

    // Why there is nothing to keep, "" if there is; and when the cloud wants to be asked again.
    std::pair<std::string, milliseconds> answer(Cloud& cloud, const Asked& asked) {
        const std::string fen = asked.position.fen(), name{cloud.source->name};
        const auto reply =
            cloud.link.send("GET", std::string{cloud.source->target} + http::percent_encoded(fen),
                            "", cloud_patience);
        if (!reply) {
            return {reply.error().message, milliseconds{0}};
        }
        const auto moves = read_cloud_answer(name, asked.position, reply->status, reply->body);
        if (!moves) {
            return {moves.error(), reply->retry_after.value_or(std::chrono::seconds{0})};
        }
        const nlohmann::json event{{"analysis", asked.look.analysis},
                                   {"version", asked.look.version},
                                   {"fens", nlohmann::json::array({fen})},
                                   {"cloud", true}};
        store.write(storage::CloudRecord{asked.position.packed(), name, clock(),
                                         moves->empty() ? "" : reply->body},
                    [publish = publish, tell = http::Event{"node", event.dump(),
                                                           asked.look.analysis, event.dump(), ""}](
                        const auto& written) { written ? publish(tell) : void(); });
        return {};
    }

    // After trouble nobody waits: who still looks asks again.
    void took(Cloud& cloud, const std::string& trouble, milliseconds after) const {
        if (trouble.empty() || closed) {
            cloud.rest = milliseconds{0};
        } else {
            spdlog::warn("cloud {}: {}", cloud.source->name, trouble);
            cloud.rest = std::min(std::max({rules.rest, 2 * cloud.rest, after}), most_rest);
            cloud.waiting.clear();
        }
        cloud.due = Clock::now() + std::max(rules.pause, cloud.rest);
    }

    storage::Store& store;
    std::function<analysis::UnixMs()> clock;
    std::function<void(http::Event)> publish;
    const CloudRules rules;
    std::vector<std::unique_ptr<Cloud>> clouds{};
    std::mutex mutex{};
    std::condition_variable changed{};
    bool closed = false;
    std::thread thread{}; // the last: it uses all of these
};

std::expected<CloudSettings, std::string> parse_cloud(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto source = std::ranges::find(cloud_sources, name, &CloudSource::name);
    if (source == cloud_sources.end()) {
        return std::unexpected("'" + name + "' is no cloud; there are chessdb and lichess");
    }
    auto url = parse_server_url(equals == std::string::npos ? std::string{source->address}
                                                            : text.substr(equals + 1));
    if (!url) {
        return std::unexpected(url.error());
    }
    return CloudSettings{&*source, std::move(*url)};
}

Clouds::Clouds(const std::vector<std::string>& settings, storage::Store& store,
               std::function<analysis::UnixMs()> clock, std::function<void(http::Event)> publish,
               CloudRules rules)
    : impl_{new Impl{store, std::move(clock), std::move(publish), rules}} {
    for (const std::string& text : settings) {
        auto [source, url] = parse_cloud(text).value();
        impl_->clouds.emplace_back(
            new Impl::Cloud{source, HttpLink{std::move(url), "", most_cloud_bytes}});
    }
    impl_->thread = std::thread{[impl = impl_.get()] {
        while (guarded("the clouds' thread", [impl] { impl->run(); })) {
        }
    }};
}

Clouds::~Clouds() {
    {
        const std::lock_guard lock{impl_->mutex};
        impl_->closed = true;
        for (const auto& cloud : impl_->clouds) {
            cloud->link.close();
        }
    }
    impl_->changed.notify_all();
    impl_->thread.join();
}

std::vector<std::string> Clouds::missing(const chess::Position& position,
                                         const std::vector<storage::CloudRecord>& known,
                                         const std::optional<Look>& look) {
    std::vector<std::string> names;
    const std::lock_guard lock{impl_->mutex};
    for (const auto& cloud : impl_->clouds) {
        const auto had =
            std::ranges::find(known, cloud->source->name, &storage::CloudRecord::source);
        const bool good = had != known.end() && milliseconds{impl_->clock() - had->at} <
                                                    (had->text.empty() ? impl_->rules.unknown_for
                                                                       : impl_->rules.good_for);
        if (good || position.chess960() || !impl_->takes(*cloud, position)) {
            continue;
        }
        names.emplace_back(cloud->source->name);
        if (look) {
            cloud->waiting.push_front({position, *look});
            cloud->waiting.resize(std::min(cloud->waiting.size(), most_looks), {position, *look});
        }
    }
    impl_->changed.notify_all();
    return names;
}

} // namespace adjourn::server
