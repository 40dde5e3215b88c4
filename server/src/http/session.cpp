#include "http/session.hpp"

#include "server/http/compression.hpp"

#include "http/request_head.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <vector>

namespace adjourn::server::http {

namespace net = boost::asio;
namespace beast = boost::beast;

namespace {

using Parser = beast::http::request_parser<beast::http::string_body>;
using boost::system::error_code;

constexpr auto as_result = net::as_tuple(net::use_awaitable);
constexpr std::size_t read_size = 64u << 10;

// After an answer to something that was no proper request.
constexpr std::size_t short_drain = 1u << 20;
constexpr std::chrono::seconds short_drain_time{2};

constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

Error too_large(const ListenerOptions& options) {
    return {ErrorCode::too_large,
            "the body is larger than " + std::to_string(options.max_body) + " bytes", "body"};
}

// What to tell the client about a failed read; nullopt if it is gone or was too slow.
std::optional<Error> read_error(error_code code, const ListenerOptions& options) {
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
        return too_large(options);
    }
    if (code.category() == make_error_code(error::bad_method).category()) {
        return Error{ErrorCode::bad_request, "the request is malformed: " + code.message(), ""};
    }
    return std::nullopt;
}

bool is_api(std::string_view path) {
    return path == "/api" || path.starts_with("/api/") || path == "/metrics";
}

bool is_events(std::string_view path) {
    return path == "/api/v1/events";
}

bool is_read(Method method) {
    return method == Method::get || method == Method::head;
}

std::string allowed_methods(std::string_view path) {
    return is_events(path) ? "GET, HEAD" : "GET, HEAD, POST, PATCH, DELETE";
}

std::optional<std::string_view> as_view(const std::optional<std::string>& text) {
    return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

std::string address_of(const net::ip::tcp::socket& socket) {
    error_code error;
    auto address = socket.local_endpoint(error).address();
    if (error) {
        return {}; // already reset by the client; reading will tell
    }
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        address = net::ip::make_address_v4(net::ip::v4_mapped, address.to_v6());
    }
    return address.to_string();
}

} // namespace

Session::Session(net::ip::tcp::socket socket, std::shared_ptr<const Services> services)
    : stream_(std::move(socket)), buffer_(services->options.max_header + read_size),
      services_(std::move(services)), local_address_(address_of(stream_.socket())) {
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
        if (self->may_end_) {
            self->stream_.close();
        }
    });
}

void Session::end_now() {
    net::post(executor(), [self = shared_from_this()] {
        self->ending_ = true;
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
            more = co_await await_request(Clock::now() + options.idle_timeout);
        } else {
            break;
        }
    }
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
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options.max_header));
    parser.body_limit(boost::none); // so that the head of too large a request is still read
    stream_.expires_at(header_deadline);
    auto [failed, unused] =
        co_await beast::http::async_read_header(stream_, buffer_, parser, as_result);
    ReplyForm form;
    if (failed) {
        if (auto error = read_error(failed, options)) {
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
    if (auto allowed = check(*request, has_body, parser.content_length().value_or(0)); !allowed) {
        auto refusal = to_response(allowed.error());
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
        if (expects_continue(*request) && !form.http_1_0 && buffer_.size() == 0) {
            stream_.expires_after(options.write_timeout);
            const auto [error, count] = co_await net::async_write(
                stream_, net::buffer(go_on.data(), go_on.size()), as_result);
            if (error) {
                co_return false;
            }
        }
        parser.body_limit(options.max_body);
        stream_.expires_after(options.body_timeout);
        std::tie(failed, unused) =
            co_await beast::http::async_read(stream_, buffer_, parser, as_result);
        if (failed) {
            if (auto error = read_error(failed, options)) {
                co_await turn_down(to_response(*error), form, options.max_drain,
                                   options.body_timeout);
            }
            co_return false;
        }
        request->body = std::move(parser.get().body());
    }

    if (is_events(request->path) && is_read(request->method)) {
        co_await stream_events(std::move(*request), form);
        co_return false;
    }
    auto response = co_await answer(std::move(*request));
    form.keep_alive = form.keep_alive && !ending_;
    co_return co_await respond(std::move(response), form);
}

bool Session::is_for_page(const Request& request) const {
    return services_->files != nullptr && is_read(request.method) && !is_api(request.path);
}

std::expected<void, Error> Session::check(const Request& request, bool has_body,
                                          std::uint64_t body_size) const {
    const auto host = request.header("host");
    const auto origin = request.header("origin");
    const auto authorization = request.header("authorization");
    const auto token = is_events(request.path) ? request.parameter("token") : std::nullopt;
    const auto type = request.header("content-type");
    auto result = services_->access.check_host(as_view(host), local_address_);
    if (result) {
        result = services_->access.check_origin(as_view(origin), local_address_);
    }
    if (result && (request.method == Method::other ||
                   (is_events(request.path) && !is_read(request.method)))) {
        result = std::unexpected(Error{ErrorCode::method_not_allowed,
                                       "this address does not answer that method", "method"});
    }
    // The page itself holds no data, and a browser cannot send a token for it.
    if (result && !is_for_page(request)) {
        result = services_->access.check_token(as_view(authorization), as_view(token));
    }
    if (result && body_size > services_->options.max_body) {
        result = std::unexpected(too_large(services_->options));
    }
    if (result && has_body) {
        result = check_content_type(as_view(type));
    }
    return result;
}

net::awaitable<Response> Session::answer(Request request) {
    if (is_for_page(request)) {
        co_return services_->files->serve(request);
    }
    const std::string what = std::string(name_of(request.method)) + " " + request.path;
    try {
        auto response = services_->handler(std::move(request));
        co_return co_await std::move(response);
    } catch (const std::exception& error) {
        spdlog::error("{}: {}", what, error.what());
    } catch (...) {
        spdlog::error("{}: an exception of unknown type", what);
    }
    co_return to_response({ErrorCode::internal, "this request failed inside the server", ""});
}

net::awaitable<bool> Session::respond(Response response, ReplyForm form) {
    complete(response, form);
    auto head = head_of(response, form, response.body.size(), std::chrono::system_clock::now());
    if (form.head || never_has_body(response.status)) {
        response.body.clear();
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
    const bool written = co_await respond(std::move(refusal), form);
    static_cast<void>(written); // false, since the connection is not kept
    may_end_ = true;
    error_code closed;
    stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, closed);
    if (closed || ending_) {
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

} // namespace adjourn::server::http
