#include "http/wire.hpp"

#include "base/text.hpp"
#include "http/requests/target.hpp"

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/write.hpp>
#include <spdlog/fmt/chrono.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace adjourn::http {

namespace {

// "gzip;q=0.5": anything but a plain zero lets it pass.
bool has_weight(std::string_view parameters) {
    bool weight = true;
    base::for_each_element(parameters, ';', [&](std::string_view parameter) {
        if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) {
            return;
        }
        weight = parameter.substr(2).find_first_not_of("0.") != std::string_view::npos;
    });
    return weight;
}

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

constexpr std::array<std::string_view, 7> single{
    "authorization",  "content-type",     "host", "last-event-id", "origin",
    "sec-fetch-site", "transfer-encoding"};

// A target in absolute form, "http://host:port/path?query", as clients of a proxy send it: its
// authority, and the rest in origin form. Any other target has none.
struct SplitTarget {
    std::optional<std::string_view> authority;
    std::string origin;
};

SplitTarget split_target(std::string_view target) {
    constexpr std::string_view scheme = "http://";
    if (!base::equal_ignoring_case(target.substr(0, scheme.size()), scheme)) {
        return {std::nullopt, std::string{target}};
    }
    target.remove_prefix(scheme.size());
    const auto end = std::min(target.find_first_of("/?#"), target.size());
    const auto rest = target.substr(end);
    return {target.substr(0, end), (rest.starts_with('/') ? "" : "/") + std::string{rest}};
}

} // namespace

bool accepts_gzip(std::optional<std::string_view> accept_encoding) {
    std::optional<bool> named;
    std::optional<bool> any;
    base::for_each_element(accept_encoding.value_or(""), ',', [&](std::string_view coding) {
        const auto end = std::min(coding.find(';'), coding.size());
        const auto name = base::trimmed(coding.substr(0, end));
        if (base::equal_ignoring_case(name, "gzip") || base::equal_ignoring_case(name, "x-gzip")) {
            named = has_weight(coding.substr(end));
        } else if (name == "*") {
            any = has_weight(coding.substr(end));
        }
    });
    return named.value_or(any.value_or(false));
}

bool is_compressible(std::string_view content_type) {
    constexpr std::array<std::string_view, 6> others{
        "application/json",        "application/javascript",    "application/manifest+json",
        "application/x-chess-pgn", "application/vnd.chess-pgn", "image/svg+xml",
    };
    const auto type =
        base::lower_case(base::trimmed(content_type.substr(0, content_type.find(';'))));
    if (type.starts_with("text/")) {
        return true;
    }
    for (const auto other : others) {
        if (type == other) {
            return true;
        }
    }
    return false;
}

std::string gzip(std::string_view data) {
    if (data.size() > std::numeric_limits<uInt>::max() / 2) {
        throw std::length_error("too large for one call of deflate");
    }
    constexpr int gzip_window = 15 + 16; // zlib: + 16 writes a gzip wrapper
    z_stream stream{};
    if (deflateInit2(&stream, 1, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string result(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    // zlib reads through a pointer to non-const, and does not write there.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int ended = deflate(&stream, Z_FINISH);
    const auto written = stream.total_out;
    deflateEnd(&stream);
    if (ended != Z_STREAM_END) {
        throw std::logic_error("deflate did not end within its own bound");
    }
    result.resize(written);
    return result;
}

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

std::expected<Request, Error> request_of(const ParsedHead& head) {
    const auto [authority, origin] = split_target(head.target());
    auto target = parse_target(origin);
    if (!target) {
        return std::unexpected(std::move(target.error()));
    }
    Request request;
    request.method = method_named(head.method_string());
    request.path = std::move(target->path);
    request.query = std::move(target->query);
    for (const auto& field : head) {
        const auto name = base::lower_case(field.name_string());
        const auto [place, fresh] = request.headers.try_emplace(name, field.value());
        if (fresh) {
            continue;
        }
        if (std::ranges::find(single, name) != single.end()) {
            return refuse(ErrorCode::bad_request, "the header " + name + " came twice",
                          "header." + name);
        }
        place->second.append(", ").append(std::string_view(field.value()));
    }
    // A head of HTTP/1.1 without Host stays one.
    if (authority && (request.headers.contains("host") || head.version() < 11)) {
        request.headers["host"] = *authority;
    }
    if (const auto coding = request.header("transfer-encoding")) {
        if (head.version() < 11 || !base::equal_ignoring_case(base::trimmed(*coding), "chunked")) {
            return refuse(ErrorCode::bad_request,
                          "the only transfer coding is chunked, in HTTP/1.1",
                          "header.transfer-encoding");
        }
    }
    return request;
}

bool expects_continue(const Request& request) {
    const auto expectation = request.header("expect");
    return expectation && base::equal_ignoring_case(base::trimmed(*expectation), "100-continue");
}

} // namespace adjourn::http
