#include "http/session_body.hpp"

#include "http/request_head.hpp"
#include "http/session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include <algorithm>
#include <vector>

namespace adjourn::http {

namespace net = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

namespace {

constexpr std::size_t body_piece = 32u << 10;
constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

} // namespace

Error too_large(std::size_t most) {
    return {ErrorCode::too_large,
            "the body is larger than the " + std::to_string(most) +
                " bytes that this address takes",
            "body"};
}

std::size_t most_body(const ListenerOptions& options, const Request& request) {
    return options.body_limit ? std::min(options.max_body, options.body_limit(request))
                              : options.max_body;
}

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

} // namespace adjourn::http
