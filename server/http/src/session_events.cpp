#include "session.hpp"

#include "base/counted.hpp"
#include "http/requests/query.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <limits>

namespace adjourn::http {

namespace net = boost::asio;

namespace {

// A browser that lost the connection asks again after this many milliseconds.
constexpr std::string_view opening = "retry: 1000\n\n";
constexpr std::string_view ping = ": ping\n\n";

// A client of events has nothing more to say; one that talks on is cut off here.
constexpr std::size_t most_ignored = 64u << 10;

} // namespace

// Lets publish(), on any thread, end the writer's wait.
struct Session::Waker {
    explicit Waker(const net::any_io_executor& strand) : timer(strand) {}

    static void wake(const std::shared_ptr<Waker>& self) {
        net::post(self->timer.get_executor(), [self] { self->timer.cancel(); });
    }

    // Whatever is published after the writer's take() cancels on the strand, so once the writer
    // waits.
    net::steady_timer timer;
};

net::awaitable<void> Session::stream_events(Request request, ReplyForm form) {
    QueryReader query(request);
    query.text("ticket"); // checked before
    auto analysis = query.integer("analysis", 1, std::numeric_limits<std::int64_t>::max());
    const auto nodes = query.integer("nodes", 0, std::numeric_limits<std::int64_t>::max());
    const auto fields = query.choice("fields", {"all", "changed"});
    form.keep_alive = false;
    auto ok = query.finish();
    const bool by_link = grant_ == Right::shared;
    if (by_link && ok && analysis.value_or(grant_.shown.analysis) != grant_.shown.analysis) {
        ok = std::unexpected(Error{ErrorCode::link_only,
                                   "a link shows one analysis, and this is another one",
                                   "query.analysis"});
    }
    if (!ok) {
        auto refusal = to_response(ok.error());
        co_await respond(std::move(refusal), form);
        co_return;
    }
    if (by_link) { // events tell of a whole analysis
        analysis = grant_.shown.file == 0 ? std::optional{grant_.shown.analysis} : std::nullopt;
    }
    Response response;
    response.content_type = "text/event-stream";
    response.headers["X-Accel-Buffering"] = "no"; // nginx would hold events back
    form.gzip = false;
    complete(response, form);
    auto head = head_of(response, form, std::nullopt, std::chrono::system_clock::now());
    if (form.head) {
        services_->tally.responded(response.status);
        co_await write(std::move(head), {});
        co_return;
    }
    if (ending_ || stream_ends_) {
        co_return;
    }
    const base::Counted stream(services_->streams);
    std::optional<base::Counted<std::atomic<std::size_t>>> of_links;
    if (by_link) {
        of_links.emplace(services_->link_streams);
    }
    const auto& options = services_->options;
    const bool many_of_links = of_links && of_links->count() > options.max_link_streams;
    if (many_of_links || stream.count() > options.max_streams) {
        const auto most = many_of_links ? options.max_link_streams : options.max_streams;
        auto refusal = to_response(
            {ErrorCode::too_many_connections,
             "too many event streams are open (" + std::to_string(most) + " at most)", ""});
        refusal.headers["Retry-After"] = "5";
        co_await respond(std::move(refusal), form);
        co_return;
    }
    services_->tally.responded(response.status);
    may_end_ = true;
    const auto waker = std::make_shared<Waker>(executor());
    auto subscription = services_->events.subscribe(
        {.analysis = analysis, .nodes = nodes, .lean = fields == 1u, .by_link = by_link},
        request.header("last-event-id"), [waker] { Waker::wake(waker); });
    head += opening;
    using net::experimental::awaitable_operators::operator||;
    auto writing = write_events(std::move(subscription), waker, std::move(head));
    auto watching = watch_for_end();
    auto either = std::move(writing) || std::move(watching);
    co_await std::move(either);
}

net::awaitable<void> Session::write_events(std::unique_ptr<EventSubscription> subscription,
                                           std::shared_ptr<Waker> waker, std::string head) {
    const auto& options = services_->options;
    net::steady_timer pause(executor());
    auto text = std::move(head) + subscription->take();
    while (true) {
        services_->tally.sent_events(text.size());
        if (!co_await write(std::move(text), {})) {
            co_return;
        }
        // What is published meanwhile is sent together, the newest of each kind and subject only.
        const auto written = Clock::now();
        pause.expires_at(written + options.event_interval);
        const auto [cut_short] = co_await pause.async_wait(as_result);
        if (cut_short) {
            co_return;
        }
        text = subscription->take();
        while (text.empty()) {
            const auto next_ping = written + options.ping_interval;
            if (Clock::now() >= next_ping) {
                text = ping;
                break;
            }
            waker->timer.expires_at(next_ping);
            const auto [ended] = co_await waker->timer.async_wait(as_result);
            static_cast<void>(ended); // either way: see what there is
            text = subscription->take();
        }
    }
}

net::awaitable<void> Session::watch_for_end() {
    std::array<char, 512> ignored{};
    for (std::size_t total = 0; total < most_ignored;) {
        stream_.expires_never();
        const auto [error, count] =
            co_await stream_.async_read_some(net::buffer(ignored), as_result);
        if (error) {
            co_return;
        }
        total += count;
    }
}

} // namespace adjourn::http
