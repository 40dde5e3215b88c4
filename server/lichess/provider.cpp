#include "lichess/provider.hpp"

#include "core/guards/guard.hpp"
#include "http/tokens.hpp"
#include "lichess/engine_session.hpp"
#include "lichess/work.hpp"
#include "uci/settings.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace adjourn::server::lichess {

using namespace std::chrono_literals;

namespace {

using PauseClock = std::chrono::steady_clock;

constexpr PauseClock::duration shortest_pause = 1s;
constexpr PauseClock::duration longest_pause = 60s;
// A server that has nothing, and says so sooner, is not asked more often.
constexpr PauseClock::duration least_poll = 500ms;
constexpr std::chrono::milliseconds stream_patience{10'000};
constexpr std::size_t most_streams = 4;                  // that end while the newest goes on
constexpr std::size_t most_answer_to_stream = 64U << 10; // bytes
constexpr auto patience_at_end = 500ms;

Registration registration_of(const ProviderOptions& options) {
    const engine_bridge::Profile& engine = options.config.engines.front();
    const auto count = static_cast<std::int64_t>(engine.count);
    // A secret of 256 bits, made afresh: what was registered before is changed with it.
    return {options.name, count * uci::option_of(engine, "Threads", 1),
            count * uci::option_of(engine, "Hash", 16),
            http::random_secret() + http::random_secret()};
}

} // namespace

struct Provider::Impl : std::enable_shared_from_this<Provider::Impl> {
    explicit Impl(ProviderOptions given)
        : options{std::move(given)}, registration{registration_of(options)}, calls{options.site,
                                                                                   options.token,
                                                                                   options.broker},
          session{std::make_unique<EngineSession>(
              options.config, options.store,
              [](const std::string& said) { spdlog::warn("{}", said); })} {}

    // ---- threads: each holds this object ----

    void spawn(const char* place, std::function<void()> work) {
        const std::lock_guard lock{mutex};
        if (stopping) {
            return;
        }
        ++threads;
        std::thread{[self = shared_from_this(), place, work = std::move(work)] {
            guarded(place, work);
            const std::lock_guard ended{self->mutex};
            --self->threads;
            self->changed.notify_all();
        }}.detach();
    }

    bool ends() {
        const std::lock_guard lock{mutex};
        return stopping;
    }

    void wait(PauseClock::duration time) {
        std::unique_lock lock{mutex};
        changed.wait_for(lock, time, [this] { return stopping; });
    }

    void fail(const std::string& reason) {
        {
            const std::lock_guard lock{mutex};
            failure = reason;
        }
        options.hopeless();
    }

    // ---- the thread that waits for work ----

    void trouble(const CallTrouble& what) {
        if (ends()) {
            return;
        }
        if (what.refused) {
            fail(what.message);
            wait(PauseClock::duration::max() / 2);
            return;
        }
        pause = std::clamp(pause * 2, shortest_pause, longest_pause);
        if (what.wait) {
            pause = std::max<PauseClock::duration>(*what.wait, shortest_pause);
        }
        if (!std::exchange(away, true)) {
            spdlog::warn("{}; it is tried again", what.message);
        }
        wait(pause);
    }
    void well() {
        pause = {};
        if (std::exchange(away, false)) {
            spdlog::info("{} answers again", options.broker.shown);
        }
    }

    void serve() {
        while (!ends()) {
            if (const auto known = calls.announce(registration); !known) {
                trouble(known.error());
            } else {
                well();
                spdlog::info("{} as \"{}\" on {}: choose it in the menu of {}/analysis",
                             *known ? "registered again" : "registered", registration.name,
                             options.site.shown, options.site.shown);
                break;
            }
        }
        while (!ends()) {
            const auto began = PauseClock::now();
            const auto body = calls.take(registration.secret);
            if (!body) {
                trouble(body.error());
                continue;
            }
            well();
            if (!*body || !begin(**body)) {
                const auto took = PauseClock::now() - began;
                wait(std::max<PauseClock::duration>(least_poll - took, 0ms));
            }
        }
    }

    bool begin(const std::string& body) {
        const auto work = read_work(body);
        if (!work) {
            spdlog::warn("{} asks for something that is not understood, which is left out: {}",
                         options.broker.shown, work.error());
            return false;
        }
        spdlog::debug("work {}: {}", work->id, work->position);
        auto lines = std::make_shared<StreamedBody>();
        {
            const std::lock_guard lock{mutex};
            if (stopping) {
                return true;
            }
            session->begin(*work, lines);
        }
        spawn("a stream to lichess", [this, id = work->id, lines] { stream(id, lines); });
        return true;
    }

    // ---- a thread for each stream ----

    void stream(const std::string& id, const EngineSession::Body& lines) {
        const auto link = std::make_shared<HttpLink>(options.broker.url, "", most_answer_to_stream);
        {
            const std::lock_guard lock{mutex};
            if (stopping) {
                return;
            }
            links.push_back(link);
            if (links.size() > most_streams) {
                links.front()->close();
            }
        }
        const auto reply = link->stream("/api/external-engine/work/" + id, *lines, stream_patience,
                                        {{"Content-Type", "text/plain"}});
        const bool whole = lines->ended();
        const std::lock_guard lock{mutex};
        std::erase(links, link);
        if (session) {
            session->stop(lines); // the page went away, or all is said
        }
        if (stopping) {
            return;
        }
        if (!reply) {
            spdlog::debug("work {}: {}", id, reply.error().message);
        } else if (reply->status >= 400 && reply->status != 404) { // 404: the page was quicker
            spdlog::warn("{} does not take what was found ({})", options.broker.shown,
                         reply->status);
        } else {
            spdlog::debug("work {}: {}", id, whole ? "done" : "the page went away");
        }
    }

    const ProviderOptions options;
    const Registration registration;
    LichessCalls calls;
    PauseClock::duration pause{}; // of the thread that waits
    bool away = false;            // the same: trouble was told

    std::mutex mutex; // guards what follows
    std::condition_variable changed;
    bool stopping = false;
    int threads = 0;
    std::string failure;
    std::unique_ptr<EngineSession> session;
    std::deque<std::shared_ptr<HttpLink>> links; // of streams, oldest first
};

Provider::Provider(ProviderOptions options) : impl_{std::make_shared<Impl>(std::move(options))} {}

Provider::~Provider() {
    stop();
}

void Provider::start() {
    impl_->spawn("waiting for work of lichess", [impl = impl_.get()] { impl->serve(); });
}

std::string Provider::stop() {
    std::unique_ptr<EngineSession> session;
    {
        const std::lock_guard lock{impl_->mutex};
        impl_->stopping = true;
        session = std::move(impl_->session);
        for (const auto& link : impl_->links) {
            link->close();
        }
    }
    impl_->calls.close();
    impl_->changed.notify_all();
    session.reset();
    std::unique_lock lock{impl_->mutex};
    impl_->changed.wait_for(lock, patience_at_end, [this] { return impl_->threads == 0; });
    return impl_->failure;
}

} // namespace adjourn::server::lichess
