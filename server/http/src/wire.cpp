#include "http/wire.hpp"

#include "http/compression.hpp"
#include "http/error.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <ctime>

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

std::string_view reason_of(int status) {
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return ""; // may be empty: RFC 9112, 4
    }
}

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
    const auto seconds = std::chrono::system_clock::to_time_t(now);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                  days[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                  months[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900,
                  parts.tm_hour, parts.tm_min, parts.tm_sec);
    return text.data();
}

void append(std::string& head, std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
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
    std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " +
                       std::string(reason_of(response.status)) + "\r\n";
    append(head, "Date", http_date(now));
    if (!response.content_type.empty() && !never_has_body(response.status)) {
        append(head, "Content-Type", response.content_type);
    }
    if (length && !never_has_body(response.status)) {
        append(head, "Content-Length", std::to_string(*length));
    }
    if (!form.keep_alive) {
        append(head, "Connection", "close");
    } else if (form.http_1_0) {
        append(head, "Connection", "keep-alive");
    }
    for (const auto& [name, value] : response.headers) {
        append(head, name, value);
    }
    return head + "\r\n";
}

} // namespace adjourn::http
