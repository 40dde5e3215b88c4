#include "host/calls.hpp"

#include "base/text.hpp"
#include "http/requests/message.hpp"
#include "http/wire.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <functional>

namespace adjourn::server {

namespace asio = boost::asio;
using http::ErrorCode;
using http::Request;
using http::Response;

namespace {

// What the listener's thread does itself; more than this goes to a pool.
constexpr std::size_t small = 64u << 10;

Response busy() {
    Response response = http::to_response({ErrorCode::unavailable,
                                           "too many large calls are under way (" +
                                               std::to_string(Calls::most_large) +
                                               " at most): ask again in a moment",
                                           ""});
    response.headers["Retry-After"] = "1";
    return response;
}

asio::awaitable<std::shared_ptr<const http::ParsedJson>> parse(const std::string& body) {
    co_return http::parse_call(body);
}

asio::awaitable<Response> packed(Response response) {
    http::pack(response);
    co_return response;
}

// What the calls hold may be large: it is let go here, too.
Response finished(Api::Later& later, bool gzip) {
    Response response = later();
    later = nullptr;
    if (gzip) {
        http::pack(response);
    }
    return response;
}

asio::awaitable<Response> finish(Api::Later later, bool gzip) {
    co_return finished(later, gzip);
}

Api::Later task_of(Api::Later call, bool gzip) {
    return [call = std::move(call), gzip]() mutable { return finished(call, gzip); };
}

} // namespace

asio::awaitable<Response> Calls::slowly(Api::Later task, bool reads, std::stop_source unwanted) {
    asio::thread_pool& pool = reads ? readers_ : slow_;
    auto waiting = wait_for(api_.wait_for(
        task, [&pool](std::function<void()> work) { asio::post(pool, std::move(work)); }));
    Response response = co_await std::move(waiting);
    unwanted.request_stop(); // where the task has not come to its end: the server stops, say
    co_return response;
}

asio::awaitable<Api::Reply> Calls::begin(Request request, Route route, bool gzip) {
    const std::stop_source unwanted = request.unwanted;
    const bool reads = request.method == http::Method::get;
    Api::Reply reply = api_.begin(std::move(request), route);
    if (auto* wait = std::get_if<Api::Wait>(&reply)) {
        co_return co_await wait_for(std::move(*wait));
    }
    if (auto* later = std::get_if<Api::Later>(&reply); later != nullptr && route.rules.slow) {
        auto text = slowly(task_of(std::move(*later), gzip), reads, unwanted);
        co_return co_await std::move(text);
    }
    co_return std::move(reply);
}

// Whoever wakes it ends the pause; between a look and the pause nothing else happens on this
// thread, so that nothing is missed.
asio::awaitable<Response> Calls::wait_for(Api::Wait wait) {
    const auto until = std::chrono::steady_clock::now() + wait.patience;
    const auto timer = std::make_shared<asio::steady_timer>(core_);
    while (true) {
        if (auto seen = wait.look()) {
            wait.leave();
            co_return std::move(*seen);
        }
        if (std::chrono::steady_clock::now() >= until ||
            !wait.wake_me([timer] { timer->cancel(); })) {
            wait.leave();
            co_return wait.give_up();
        }
        timer->expires_at(until);
        const auto [ignored] = co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
        static_cast<void>(ignored); // woken or late: it looks again
    }
}

asio::awaitable<Response> Calls::answer(Request request) {
    const auto route = route_of(request.method, request.path);
    if (!route) {
        co_return to_response(route.error(), request.method);
    }
    if (!route->rules.large) {
        co_return co_await answer_in_full(std::move(request), *route);
    }
    const base::Counted large{large_};
    if (large.count() > most_large) {
        co_return busy();
    }
    co_return co_await answer_in_full(std::move(request), *route);
}

asio::awaitable<Response> Calls::answer_in_full(Request request, const Route& route) {
    const auto accepted = request.header("accept-encoding");
    const bool gzip =
        http::accepts_gzip(accepted ? std::optional<std::string_view>{*accepted} : std::nullopt);
    if (route.rules.body == CallRules::Body::json) {
        if (request.body.size() <= small) {
            request.json = http::parse_call(request.body);
        } else {
            request.json =
                co_await asio::co_spawn(quick_, parse(request.body), asio::use_awaitable);
        }
        request.body = {};
    }
    Api::Reply reply =
        co_await asio::co_spawn(core_, begin(std::move(request), route, gzip), asio::use_awaitable);
    if (auto* later = std::get_if<Api::Later>(&reply)) {
        co_return co_await asio::co_spawn(readers_, finish(std::move(*later), gzip),
                                          asio::use_awaitable);
    }
    auto& response = std::get<Response>(reply);
    if (gzip && response.body.size() > small && !response.headers.contains("Content-Encoding")) {
        co_return co_await asio::co_spawn(quick_, packed(std::move(response)), asio::use_awaitable);
    }
    co_return std::move(response);
}

void Calls::join() {
    quick_.join();
    readers_.join();
    slow_.join();
}

} // namespace adjourn::server
