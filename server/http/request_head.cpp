#include "http/request_head.hpp"

#include "base/text.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <array>

namespace adjourn::http {

namespace {

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
