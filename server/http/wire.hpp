// From a Response to bytes: compression, the headers every response carries, the head. Pure.
#pragma once

#include "http/requests/message.hpp"

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::http {

// What of the request the form of its answer depends on.
struct ReplyForm {
    bool head = false; // answer without the body
    bool keep_alive = false;
    bool http_1_0 = false;
    bool gzip = false; // accepted
};

// Compresses the body where that pays and is allowed; for large ones, where it may take a while.
void pack(Response& response);

// Compresses the body where that pays and is allowed, and adds the headers of every response
// (content security, caching) that are not set. A response whose headers could break the head
// becomes 500.
void complete(Response& response, const ReplyForm& form);

bool never_has_body(int status);

// Status line to empty line. `length` is nullopt for a body that ends with the connection.
std::string head_of(const Response& response, const ReplyForm& form,
                    std::optional<std::size_t> length, std::chrono::system_clock::time_point now);

// gzip of response bodies. Pure.

// Whether an Accept-Encoding header (nullopt: none) lets the answer be gzip. RFC 9110, 12.5.3.
bool accepts_gzip(std::optional<std::string_view> accept_encoding);

// Worth compressing: text in the widest sense. `content_type` may carry parameters.
bool is_compressible(std::string_view content_type);

// One gzip member, at the fastest level: answers are made on demand and travel short ways.
std::string gzip(std::string_view data);

// From Beast's parsed head to a Request. Pure.

using ParsedHead = boost::beast::http::request_header<boost::beast::http::fields>;

// Method, target and headers. Of a target in absolute form the authority stands in place of Host
// (RFC 9112, 3.2.2). bad_request for a target that cannot be decoded, for headers that say
// two things, and for transfer codings other than chunked: two readers could disagree where the
// body ends.
std::expected<Request, Error> request_of(const ParsedHead& head);

bool expects_continue(const Request& request);

// What a request asks of the listener itself, by its method and path.

inline bool is_metrics(std::string_view path) {
    return path == "/metrics";
}

inline bool is_api(std::string_view path) {
    return path == "/api" || path.starts_with("/api/") || is_metrics(path);
}

inline bool is_events(std::string_view path) {
    return path == "/api/v1/events";
}

inline bool is_tickets(std::string_view path) {
    return path == "/api/v1/tickets";
}

// What a machine that answers questions asks for.
inline bool is_for_workers(Method method, std::string_view path) {
    constexpr std::string_view all = "/api/v1/workers";
    return (method == Method::post && (path == all || path.starts_with("/api/v1/workers/"))) ||
           (method == Method::del && path.starts_with("/api/v1/workers/"));
}

inline bool is_read(Method method) {
    return method == Method::get || method == Method::head;
}

inline std::optional<std::string_view> as_view(const std::optional<std::string>& text) {
    return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

} // namespace adjourn::http
