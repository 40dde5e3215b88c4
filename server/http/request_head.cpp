#include "http/request_head.hpp"

#include "base/text.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

namespace {

constexpr std::array<std::string_view, 7> single{
    "authorization",  "content-type",     "host", "last-event-id", "origin",
    "sec-fetch-site", "transfer-encoding"};

std::unexpected<Error> bad(std::string message, std::string_view name) {
    return std::unexpected(
        Error{ErrorCode::bad_request, std::move(message), "header." + std::string(name)});
}

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
            return bad("the header " + name + " came twice", name);
        }
        place->second.append(", ").append(std::string_view(field.value()));
    }
    // A head of HTTP/1.1 without Host stays one.
    if (authority && (request.headers.contains("host") || head.version() < 11)) {
        request.headers["host"] = *authority;
    }
    if (const auto coding = request.header("transfer-encoding")) {
        if (head.version() < 11 || !base::equal_ignoring_case(base::trimmed(*coding), "chunked")) {
            return bad("the only transfer coding is chunked, in HTTP/1.1", "transfer-encoding");
        }
    }
    return request;
}

bool expects_continue(const Request& request) {
    const auto expectation = request.header("expect");
    return expectation && base::equal_ignoring_case(base::trimmed(*expectation), "100-continue");
}

namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 15 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_plain(std::string_view text) { // as lines of moves are, and the page's parameters
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ',';
    });
}

// Of "/a/b/" a and b; nullopt where two slashes stand together.
std::optional<std::vector<std::string_view>> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    path.remove_prefix(1);
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end == 0) {
            return std::nullopt;
        }
        parts.push_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

// As web/src/router.ts reads them; the API calls an analysis's folder "analyses".
std::optional<std::string> route_of(const std::vector<std::string_view>& parts) {
    if (parts.empty() || parts.size() > 3) {
        return std::nullopt;
    }
    const bool tree = parts[0] == "analyses" || parts[0] == "analysis";
    const bool review = parts[0] == "review";
    if (parts.size() == 1) {
        if (parts[0] == "analyses") {
            return "";
        }
        return review || parts[0] == "new" ? std::optional{std::string{parts[0]}} : std::nullopt;
    }
    const bool line = parts.size() == 3;
    if ((!tree && !review) || !is_number(parts[1]) || (review && !line) ||
        (line && !is_plain(parts[2]))) {
        return std::nullopt;
    }
    return std::string{tree ? "analysis" : "review"} + "/" + std::string{parts[1]} +
           (line ? "/" + std::string{parts[2]} : "");
}

} // namespace

std::optional<std::string> page_address(const Request& request) {
    const std::string& path = request.path;
    if (!path.starts_with('/')) {
        return std::nullopt;
    }
    const auto parts = parts_of(path);
    const auto route = parts ? route_of(*parts) : std::nullopt;
    if (!route) {
        return std::nullopt;
    }
    std::string address;
    for (auto depth = std::ranges::count(path, '/'); depth > 1; --depth) {
        address += "../";
    }
    address += (address.empty() ? "./#/" : "#/") + *route;
    char separator = '?';
    for (const auto& [name, value] : request.query) {
        if (is_plain(name) && is_plain(value)) {
            address += separator + name + "=" + value;
            separator = '&';
        }
    }
    return address;
}

} // namespace adjourn::http
