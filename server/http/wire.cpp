#include "http/wire.hpp"

#include "base/text.hpp"
#include "http/compression.hpp"
#include "http/requests/message.hpp"

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/write.hpp>
#include <spdlog/fmt/chrono.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace adjourn::http {

namespace {

constexpr std::size_t least_compressed = 1024;

struct Header {
    std::string_view name;
    std::string_view value;
};

// The page's board moves pieces through the DOM's style objects, which this policy lets pass;
// nothing needs inline styles or scripts. Its piece images are data: URLs.
constexpr std::array common_headers{
    Header{"Content-Security-Policy",
           "default-src 'self'; img-src 'self' data:; style-src 'self'; object-src 'none'; "
           "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    Header{"X-Content-Type-Options", "nosniff"},
    Header{"Referrer-Policy", "no-referrer"},
    Header{"Cross-Origin-Resource-Policy", "same-origin"},
    Header{"Cache-Control", "no-store"},
};

bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               others.find(c) != std::string_view::npos;
    });
}

bool has(const Response& response, std::string_view name) {
    return std::ranges::any_of(response.headers, [&](const auto& header) {
        return base::equal_ignoring_case(header.first, name);
    });
}

bool is_sound(const Response& response) {
    // The head's own headers: a second one would let the body end elsewhere.
    constexpr std::array<std::string_view, 5> own{"Connection", "Content-Length", "Content-Type",
                                                  "Date", "Transfer-Encoding"};
    return response.status >= 200 && response.status <= 599 &&
           !base::has_control_characters(response.content_type) &&
           std::ranges::none_of(own, [&](auto name) { return has(response, name); }) &&
           std::ranges::all_of(response.headers, [](const auto& header) {
               return is_token(header.first) && !base::has_control_characters(header.second);
           });
}

std::string http_date(std::chrono::system_clock::time_point now) {
    return fmt::format("{:%a, %d %b %Y %H:%M:%S GMT}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

// An ETag names exact bytes, so whoever set one chose the coding too.
bool is_packable(const Response& response) {
    return response.body.size() > least_compressed && !has(response, "Content-Encoding") &&
           !has(response, "ETag") && is_compressible(response.content_type);
}

} // namespace

void pack(Response& response) {
    if (is_packable(response)) {
        response.body = gzip(response.body);
        response.headers["Content-Encoding"] = "gzip";
        response.headers["Vary"] = "Accept-Encoding";
    }
}

void complete(Response& response, const ReplyForm& form) {
    if (!is_sound(response)) {
        response =
            to_response({ErrorCode::internal, "the answer could not be put into HTTP headers", ""});
    }
    if (is_packable(response)) {
        response.headers.emplace("Vary", "Accept-Encoding");
        if (form.gzip) {
            pack(response);
        }
    }
    for (const auto& header : common_headers) {
        if (!has(response, header.name)) {
            response.headers.emplace(header.name, header.value);
        }
    }
}

bool never_has_body(int status) {
    return status == 204 || status == 304;
}

std::string head_of(const Response& response, const ReplyForm& form,
                    std::optional<std::size_t> length, std::chrono::system_clock::time_point now) {
    namespace beast = boost::beast::http;
    beast::response_header<> head;
    head.result(static_cast<unsigned>(response.status));
    head.version(11);
    head.set(beast::field::date, http_date(now));
    if (!response.content_type.empty() && !never_has_body(response.status)) {
        head.set(beast::field::content_type, response.content_type);
    }
    if (length && !never_has_body(response.status)) {
        head.set(beast::field::content_length, std::to_string(*length));
    }
    if (!form.keep_alive || form.http_1_0) {
        head.set(beast::field::connection, form.keep_alive ? "keep-alive" : "close");
    }
    for (const auto& [name, value] : response.headers) {
        head.insert(name, value);
    }
    std::ostringstream text;
    text << head;
    return std::move(text).str();
}

} // namespace adjourn::http
