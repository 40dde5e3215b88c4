#include "http/session.hpp"

#include "http/requests/message.hpp"
#include "http/requests/target.hpp"
#include "http/wire.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/system/error_code.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <sys/socket.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <vector>

namespace adjourn::http {

namespace net = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

// What a session says of bodies, and of reads that failed. Pure.

constexpr std::size_t body_piece = 32u << 10;
constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

Error too_large(std::size_t most) {
    return {ErrorCode::too_large,
            "the body is larger than the " + std::to_string(most) +
                " bytes that this address takes",
            "body"};
}

// Bytes that the body of this request may have.
std::size_t most_body(const ListenerOptions& options, const Request& request) {
    return options.body_limit ? std::min(options.max_body, options.body_limit(request))
                              : options.max_body;
}

// What to tell the client about a failed read; nullopt if it is gone or was too slow.
std::optional<Error> read_error(error_code code, const ListenerOptions& options, std::size_t most) {
    using beast::http::error;
    if (code == error::end_of_stream || code == error::partial_message) {
        return std::nullopt;
    }
    if (code == error::header_limit || code == error::buffer_overflow) {
        return Error{ErrorCode::headers_too_large,
                     "the request's head is larger than " + std::to_string(options.max_header) +
                         " bytes",
                     "header"};
    }
    if (code == error::body_limit) {
        return too_large(most);
    }
    if (code.category() == make_error_code(error::bad_method).category()) {
        return Error{ErrorCode::bad_request, "the request is malformed: " + code.message(), ""};
    }
    return std::nullopt;
}

constexpr std::size_t read_size = 64u << 10;

// Somebody who does not belong here: the connection is of no further use.
bool is_stranger(ErrorCode code) {
    return code == ErrorCode::unauthorised || code == ErrorCode::forbidden_host ||
           code == ErrorCode::forbidden_origin;
}

std::string allowed_methods(std::string_view path) {
    return is_events(path)    ? "GET, HEAD"
           : is_tickets(path) ? "POST"
                              : "GET, HEAD, POST, PUT, PATCH, DELETE";
}

Response ticket_response(const std::string& ticket) {
    Response response;
    response.status = 201;
    response.body = R"({"ticket":")" + ticket + R"(","expires_in":)" +
                    std::to_string(Tokens::ticket_life.count()) + "}\n";
    return response;
}

// "" after an error: already reset by the client; reading will tell.
std::string address_of(const net::ip::tcp::endpoint& endpoint, error_code error) {
    auto address = endpoint.address();
    if (error) {
        return {};
    }
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        address = net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6());
    }
    return address.to_string();
}

// A browser that lost the connection asks again after this many milliseconds.
constexpr std::string_view opening = "retry: 1000\n\n";
constexpr std::string_view ping = ": ping\n\n";

// A client of events has nothing more to say; one that talks on is cut off here.
constexpr std::size_t most_ignored = 64u << 10;

} // namespace

Session::Session(net::ip::tcp::socket socket, std::shared_ptr<const Services> services)
    : stream_(std::move(socket)), buffer_(services->options.max_header + read_size),
      services_(std::move(services)), pause_(executor()), counted_(services_->tally.connections),
      since_(Clock::now().time_since_epoch().count()) {
    error_code error;
    const auto local = stream_.socket().local_endpoint(error);
    local_address_ = address_of(local, error);
    const auto client = stream_.socket().remote_endpoint(error);
    client_address_ = address_of(client, error);
    error_code ignored; // without it answers are slower, not wrong
    stream_.socket().set_option(net::ip::tcp::no_delay(true), ignored);
}

net::awaitable<void> Session::run(std::shared_ptr<Session> self, Task task) {
    try {
        if (task == Task::serve) {
            co_await self->serve();
        } else {
            auto refusal =
                to_response({ErrorCode::too_many_connections, "too many connections are open", ""});
            ReplyForm form;
            co_await self->turn_down(std::move(refusal), form, short_drain, short_drain_time);
        }
    } catch (const std::exception& error) {
        spdlog::error("a connection failed: {}", error.what());
    }
    self->stream_.close();
}

void Session::end_soon() {
    net::post(executor(), [self = shared_from_this()] {
        self->ending_ = true;
        self->pause_.cancel();
        if (self->may_end_) {
            self->stream_.close();
        }
    });
}

void Session::end_stream() {
    net::post(executor(), [self = shared_from_this()] {
        self->stream_ends_ = true;
        if (self->stage_ == Stage::busy && self->may_end_) {
            self->stream_.close();
        }
    });
}

void Session::end_revoked_stream() {
    net::post(executor(), [self = shared_from_this()] {
        if (self->grant_ == Right::shared && !self->services_->tokens.holds(self->grant_.link)) {
            self->end_stream();
        }
    });
}

void Session::give_way() {
    net::post(executor(), [self = shared_from_this(), before = stage_.load()] {
        self->ending_ = true;
        self->pause_.cancel();
        const Stage now = self->stage_;
        if (now < Stage::sending || (now == Stage::sending && now == before)) {
            self->stream_.close();
        }
    });
}

SessionState Session::state() const {
    return {stage_, trusted_, Clock::time_point(Clock::duration(since_))};
}

void Session::enter(Stage stage) {
    since_ = Clock::now().time_since_epoch().count();
    stage_ = stage;
}

void Session::end_now() {
    net::post(executor(), [self = shared_from_this()] {
        self->ending_ = true;
        self->pause_.cancel();
        self->stream_.close();
    });
}

net::awaitable<void> Session::serve() {
    const auto& options = services_->options;
    const auto start = Clock::now();
    bool more = co_await await_request(start + options.header_timeout);
    bool first = true;
    while (more) {
        may_end_ = false;
        more = co_await exchange((first ? start : Clock::now()) + options.header_timeout);
        may_end_ = true;
        first = false;
        if (more && !ending_) {
            enter(Stage::idle);
            const auto idle = trusted_ ? options.idle_timeout
                                       : std::min(options.idle_timeout, options.stranger_timeout);
            more = co_await await_request(Clock::now() + idle);
        } else {
            break;
        }
    }
}

// What a client sends ahead is left where it is, and it is not watched any longer.
void Session::watch_client(std::stop_source unwanted) {
    stream_.socket().async_wait(
        net::ip::tcp::socket::wait_read,
        [self = shared_from_this(), unwanted = std::move(unwanted)](error_code error) mutable {
            char next = 0;
            if (!error && ::recv(self->stream_.socket().native_handle(), &next, 1,
                                 MSG_PEEK | MSG_DONTWAIT) == 0) {
                unwanted.request_stop();
            }
        });
}

net::awaitable<bool> Session::await_request(Clock::time_point deadline) {
    if (buffer_.size() > 0) {
        co_return true;
    }
    stream_.expires_at(deadline);
    const auto [error, count] =
        co_await stream_.async_read_some(buffer_.prepare(read_size), as_result);
    buffer_.commit(count);
    co_return !error;
}

net::awaitable<bool> Session::exchange(Clock::time_point header_deadline) {
    const auto& options = services_->options;
    if (stage_ == Stage::idle) {
        enter(Stage::receiving);
    }
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options.max_header));
    parser.body_limit(boost::none); // so that the head of too large a request is still read
    stream_.expires_at(header_deadline);
    auto [failed, unused] =
        co_await beast::http::async_read_header(stream_, buffer_, parser, as_result);
    ReplyForm form;
    if (failed) {
        if (auto error = read_error(failed, options, options.max_body)) {
            co_await turn_down(to_response(*error), form, short_drain, short_drain_time);
        }
        co_return false;
    }

    const auto& head = parser.get();
    const bool has_body = !parser.is_done();
    form.head = head.method() == beast::http::verb::head;
    form.keep_alive = parser.keep_alive();
    form.http_1_0 = head.version() < 11;
    auto request = request_of(head);
    if (!request) {
        // Where this request ends is not certain.
        co_await turn_down(to_response(request.error()), form, short_drain, short_drain_time);
        co_return false;
    }
    form.gzip = accepts_gzip(as_view(request->header("accept-encoding")));
    enter(Stage::receiving);
    stream_ends_ = false;
    if (auto allowed = check(*request, has_body, parser.content_length().value_or(0)); !allowed) {
        auto refusal = to_response(allowed.error());
        if (is_stranger(allowed.error().code)) {
            co_await refuse_stranger(*request, std::move(refusal), form, has_body);
            co_return false;
        }
        if (allowed.error().code == ErrorCode::method_not_allowed) {
            refusal.headers["Allow"] = allowed_methods(request->path);
        }
        if (!has_body) {
            co_return co_await respond(std::move(refusal), form);
        }
        co_await turn_down(std::move(refusal), form, options.max_drain, options.body_timeout);
        co_return false;
    }

    if (has_body) {
        if (!co_await receive(parser, *request, form)) {
            co_return false;
        }
    }

    request->by_link = grant_ == Right::shared;
    enter(Stage::busy);
    if (is_events(request->path) && is_read(request->method)) {
        co_await stream_events(std::move(*request), form);
        co_return false;
    }
    const bool may_take_long = request->method == Method::post;
    if (may_take_long) {
        watch_client(request->unwanted);
    }
    auto response = co_await answer(std::move(*request));
    if (may_take_long) {
        error_code ignored;
        stream_.socket().cancel(ignored); // the watch
    }
    if (grant_ == Right::shared && response.status >= 500) { // why is the owner's business
        response.body =
            to_response({response.status == 503 ? ErrorCode::unavailable : ErrorCode::internal,
                         "this cannot be shown at the moment", ""})
                .body;
        response.headers.erase("Content-Encoding");
    }
    form.keep_alive = form.keep_alive && !ending_;
    co_return co_await respond(std::move(response), form);
}

net::awaitable<bool> Session::receive(Parser& parser, Request& request, const ReplyForm& form) {
    const auto& options = services_->options;
    if (expects_continue(request) && !form.http_1_0 && buffer_.size() == 0) {
        stream_.expires_after(options.write_timeout);
        const auto [error, count] =
            co_await net::async_write(stream_, net::buffer(go_on.data(), go_on.size()), as_result);
        if (error) {
            co_return false;
        }
    }
    const std::size_t most = most_body(options, request);
    parser.body_limit(most);
    stream_.expires_after(options.body_timeout);
    std::vector<char> piece(body_piece);
    while (!parser.is_done()) {
        parser.get().body().data = piece.data();
        parser.get().body().size = piece.size();
        const auto [code, unused] =
            co_await beast::http::async_read_some(stream_, buffer_, parser, as_result);
        if (code && code != beast::http::error::need_buffer) {
            if (auto error = read_error(code, options, most)) {
                co_await turn_down(to_response(*error), form, options.max_drain,
                                   options.body_timeout);
            }
            co_return false;
        }
        const std::size_t came = piece.size() - parser.get().body().size;
        if (const std::size_t needed = request.body.size() + came;
            needed > request.body.capacity()) { // room for what came, not for what was promised
            request.body.reserve(std::min(
                std::max(needed, 2 * request.body.capacity()),
                std::max(needed,
                         static_cast<std::size_t>(parser.content_length().value_or(most)))));
        }
        request.body.append(piece.data(), came);
        enter(Stage::receiving);
    }
    co_return true;
}

net::awaitable<Response> Session::answer(Request request) {
    if (is_for_page(request)) {
        co_return services_->files->serve(request);
    }
    if (is_tickets(request.path)) {
        co_return ticket_response(services_->tokens.give_ticket(grant_, Clock::now()));
    }
    const std::string what = std::string(name_of(request.method)) + " " + request.path;
    const bool metrics = is_metrics(request.path);
    try {
        auto answering = services_->handler(std::move(request));
        Response response = co_await std::move(answering);
        if (metrics && response.status == 200) {
            response.body += services_->tally.metrics(services_->streams);
        }
        co_return response;
    } catch (const std::exception& error) {
        spdlog::error("{}: {}", what, error.what());
    } catch (...) {
        spdlog::error("{}: an exception of unknown type", what);
    }
    co_return to_response({ErrorCode::internal, "this request failed inside the server", ""});
}

net::awaitable<bool> Session::respond(Response response, ReplyForm form) {
    complete(response, form);
    services_->tally.responded(response.status);
    auto head = head_of(response, form, response.body.size(), std::chrono::system_clock::now());
    if (form.head || never_has_body(response.status)) {
        response.body.clear();
    }
    if (stage_ != Stage::leaving) {
        enter(Stage::sending);
    }
    const bool written = co_await write(std::move(head), std::move(response.body));
    co_return written&& form.keep_alive;
}

net::awaitable<bool> Session::write(std::string head, std::string body) {
    const std::array buffers{net::buffer(std::as_const(head)), net::buffer(std::as_const(body))};
    stream_.expires_after(services_->options.write_timeout);
    const auto [error, count] = co_await net::async_write(stream_, buffers, as_result);
    co_return !error;
}

net::awaitable<void> Session::turn_down(Response refusal, ReplyForm form, std::size_t most,
                                        Clock::duration time) {
    form.keep_alive = false;
    enter(Stage::leaving);
    const bool written = co_await respond(std::move(refusal), form);
    static_cast<void>(written); // false, since the connection is not kept
    may_end_ = true;
    error_code closed;
    stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, closed);
    if (closed || ending_ || most == 0) {
        co_return;
    }
    stream_.expires_after(time);
    std::vector<char> waste(read_size);
    for (std::size_t total = 0; total < most;) {
        const auto [failed, count] =
            co_await stream_.async_read_some(net::buffer(waste), as_result);
        if (failed) {
            co_return;
        }
        total += count;
    }
}

// Session: who may ask, and what a stranger is told.

net::awaitable<void> Session::refuse_stranger(const Request& request, Response refusal,
                                              ReplyForm form, bool has_body) {
    const auto& options = services_->options;
    const base::Counted stranger(services_->strangers);
    const bool few = stranger.count() <= options.max_strangers;
    const bool tried = request.headers.contains("authorization") || request.parameter("ticket");
    if (refusal.status == status_of(ErrorCode::unauthorised) && tried) {
        services_->tally.tried_wrong_token();
        const auto verdict = services_->wrong_tokens.tried(client_address_, Clock::now());
        if (verdict.to_log) {
            spdlog::warn("wrong tokens from {}: {} so far", client_address_, *verdict.to_log);
        }
        enter(Stage::leaving); // its place may be taken meanwhile
        pause_.expires_after(verdict.pause);
        const auto [ignored] = co_await pause_.async_wait(as_result);
        static_cast<void>(ignored);
        if (ending_) {
            co_return;
        }
    }
    co_await turn_down(std::move(refusal), form,
                       !few       ? 0
                       : has_body ? options.max_drain
                                  : short_drain,
                       has_body ? Clock::duration(options.body_timeout) : short_drain_time);
}

bool Session::is_for_page(const Request& request) const {
    return services_->files != nullptr && is_read(request.method) && !is_api(request.path);
}

std::expected<void, Error> Session::check(const Request& request, bool has_body,
                                          std::uint64_t body_size) {
    const auto host = request.header("host");
    const auto origin = request.header("origin");
    const auto type = request.header("content-type");
    const auto fetch_site = request.header("sec-fetch-site");
    const auto access = services_->access();
    auto result = access->check_host(as_view(host), local_address_);
    if (result) {
        result = access->check_origin(as_view(origin), local_address_);
    }
    if (result &&
        (request.method == Method::other || (is_events(request.path) && !is_read(request.method)) ||
         (is_tickets(request.path) && request.method != Method::post))) {
        result = refuse(ErrorCode::method_not_allowed, "this address does not answer that method",
                        "method");
    }
    if (result && !is_read(request.method)) {
        result = check_fetch_site(as_view(fetch_site));
    }
    // The page itself holds no data, and a browser cannot send a token for it.
    if (result && !(is_for_page(request) && services_->tokens.required())) {
        if (auto grant = grant_of(request); !grant) {
            result = std::unexpected(grant.error());
        } else {
            grant_ = std::move(*grant);
            trusted_ = !(grant_ == Right::shared); // a link may be known to anybody
        }
    }
    const std::size_t most = most_body(services_->options, request);
    if (result && body_size > most) {
        result = std::unexpected(too_large(most));
    }
    if (result && has_body) {
        result = check_content_type(as_view(type));
    }
    return result;
}

// Of one who may ask at all, what this request needs.
std::expected<Grant, Error> Session::grant_of(const Request& request) const {
    if (is_events(request.path) && request.parameter("token")) {
        return refuse(ErrorCode::unauthorised,
                      "a token in an address stays in histories and logs: send it as "
                      "\"Authorization: Bearer …\", or ask for a ticket by POST tickets",
                      "query.token");
    }
    auto grant = is_events(request.path) && request.parameter("ticket")
                     ? services_->tokens.use_ticket(*request.parameter("ticket"), Clock::now())
                     : services_->tokens.check(as_view(request.header("authorization")));
    if (grant) {
        if (const auto allowed = allows(*grant, request); !allowed) {
            return std::unexpected(allowed.error());
        }
    }
    return grant;
}

std::expected<void, Error> Session::allows(const Grant& grant, const Request& request) const {
    const bool changes = !is_read(request.method) && !is_tickets(request.path);
    const auto refused = [&](ErrorCode code, const char* who, const char* why) {
        return refuse(code,
                      std::string(who) + ": " + std::string(name_of(request.method)) + " " +
                          request.path + " " + why,
                      "header.authorization");
    };
    if (grant == Right::full) {
        return {};
    }
    if (grant == Right::work) {
        if (!is_for_workers(request.method, request.path)) {
            return refused(ErrorCode::workers_only, "this token is for workers",
                           "needs another one");
        }
        return {};
    }
    const bool link = grant == Right::shared;
    if (changes) {
        return refused(ErrorCode::read_only,
                       link ? "a link is for reading" : "this token is for reading",
                       "needs the full one");
    }
    if (is_tickets(request.path) || is_events(request.path) || is_for_page(request)) {
        return {};
    }
    const auto& readers_of = services_->options.readers;
    const Readers readers = readers_of ? readers_of(request) : Readers{};
    if (link && !(readers.links && grant.shown.covers(*readers.links))) {
        return refused(ErrorCode::link_only, "a link shows one analysis, or a review",
                       "is no part of that");
    }
    if (!link && !readers.token) {
        return refused(ErrorCode::read_only, "this token is for reading", "needs the full one");
    }
    return {};
}

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
        ok = refuse(ErrorCode::link_only, "a link shows one analysis, and this is another one",
                    "query.analysis");
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

void Tally::responded(int status) {
    assert(status >= least_status && status - least_status < static_cast<int>(responses_.size()));
    ++responses_.at(static_cast<std::size_t>(status - least_status));
}

std::string Tally::metrics(std::size_t streams) const {
    std::string text;
    const auto begin = [&](const char* name, const char* type, const char* help) {
        fmt::format_to(std::back_inserter(text), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type,
                       help);
    };
    const auto only = [&](const char* name, const char* type, const char* help,
                          std::uint64_t value) {
        begin(name, type, help);
        fmt::format_to(std::back_inserter(text), "{} {}\n", name, value);
    };
    begin("adjourn_http_responses_total", "counter", "Responses by status; refusals are 4xx.");
    for (std::size_t i = 0; i < responses_.size(); ++i) {
        if (const std::uint64_t count = responses_.at(i); count > 0) {
            fmt::format_to(std::back_inserter(text),
                           "adjourn_http_responses_total{{code=\"{}\"}} {}\n",
                           i + static_cast<std::size_t>(least_status), count);
        }
    }
    only("adjourn_http_connections", "gauge", "Connections that are open.", connections);
    only("adjourn_http_connections_turned_away_total", "counter",
         "Connections answered with 429 since too many were open.", turned_away_);
    only("adjourn_http_wrong_tokens_total", "counter", "Requests with a wrong token or ticket.",
         wrong_tokens_);
    only("adjourn_event_streams", "gauge", "Event streams that are open.", streams);
    only("adjourn_event_bytes_total", "counter", "Bytes of events sent.", event_bytes_);
    return text;
}

} // namespace adjourn::http
