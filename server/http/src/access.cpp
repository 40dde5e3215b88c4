#include "http/access.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <stdexcept>

namespace adjourn::http {

namespace {

std::optional<std::string> shortest_ipv6(const std::string& text) {
    in6_addr address{};
    std::array<char, INET6_ADDRSTRLEN> out{};
    if (inet_pton(AF_INET6, text.c_str(), &address) != 1 ||
        inet_ntop(AF_INET6, &address, out.data(), out.size()) == nullptr) {
        return std::nullopt;
    }
    return std::string(out.data());
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    });
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    const auto number = base::parse_number<std::uint16_t>(text);
    return number && *number != 0 ? number : std::nullopt;
}

std::unexpected<Error> refuse(ErrorCode code, std::string message, std::string where) {
    return std::unexpected(Error{code, std::move(message), std::move(where)});
}

} // namespace

std::optional<Authority> parse_authority(std::string_view text) {
    Authority authority;
    std::string_view rest;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        auto host = shortest_ipv6(std::string(text.substr(1, end - 1)));
        if (!host) {
            return std::nullopt;
        }
        authority.host = std::move(*host);
        rest = text.substr(end + 1);
    } else {
        const auto end = std::min(text.find(':'), text.size());
        authority.host = base::lower_case(text.substr(0, end));
        if (!is_name(authority.host)) {
            return std::nullopt;
        }
        rest = text.substr(end);
    }
    if (rest.empty()) {
        return authority;
    }
    authority.port = parse_port(rest.substr(1));
    if (!rest.starts_with(':') || !authority.port) {
        return std::nullopt;
    }
    return authority;
}

AccessPolicy::AccessPolicy(std::string address, std::uint16_t port,
                           const std::vector<std::string>& hosts)
    : own_{"localhost", "127.0.0.1", "::1", std::move(address)}, port_(port) {
    for (const auto& host : hosts) {
        const auto authority = parse_authority(host);
        if (!authority) {
            throw std::invalid_argument("\"" + host + "\" is no host name");
        }
        further_.push_back(*authority);
    }
}

bool AccessPolicy::allows(const Authority& authority, std::optional<std::uint16_t> usual_port,
                          std::string_view local_address) const {
    const bool own =
        authority.host == local_address || std::ranges::find(own_, authority.host) != own_.end();
    const auto port = authority.port ? authority.port : usual_port;
    if (own && port == port_) {
        return true;
    }
    return std::ranges::any_of(further_, [&](const Authority& further) {
        if (further.host != authority.host) {
            return false;
        }
        return further.port ? port == further.port : !authority.port || authority.port == port_;
    });
}

std::expected<void, Error> AccessPolicy::check_host(std::optional<std::string_view> host,
                                                    std::string_view local_address) const {
    if (!host) {
        return refuse(ErrorCode::bad_request, "the request has no Host header", "header.host");
    }
    const auto authority = parse_authority(*host);
    if (!authority || !allows(*authority, 80, local_address)) {
        return refuse(ErrorCode::forbidden_host,
                      "this server is not known as " + base::shortened(*host, 100) +
                          "; further names are set in its configuration",
                      "header.host");
    }
    return {};
}

std::expected<void, Error> AccessPolicy::check_origin(std::optional<std::string_view> origin,
                                                      std::string_view local_address) const {
    if (!origin) {
        return {};
    }
    constexpr std::string_view plain = "http://";
    constexpr std::string_view secure = "https://";
    std::optional<Authority> authority;
    std::uint16_t usual_port = 80;
    if (origin->starts_with(plain)) {
        authority = parse_authority(origin->substr(plain.size()));
    } else if (origin->starts_with(secure)) {
        authority = parse_authority(origin->substr(secure.size()));
        usual_port = 443;
    }
    if (!authority || !allows(*authority, usual_port, local_address)) {
        return refuse(ErrorCode::forbidden_origin,
                      "pages of " + base::shortened(*origin, 100) + " may not use this server",
                      "header.origin");
    }
    return {};
}

std::expected<void, Error> check_fetch_site(std::optional<std::string_view> site) {
    if (site && base::equal_ignoring_case(base::trimmed(*site), "cross-site")) {
        return refuse(ErrorCode::forbidden_origin, "this request comes from a page of another site",
                      "header.sec-fetch-site");
    }
    return {};
}

std::expected<void, Error> check_content_type(std::optional<std::string_view> content_type) {
    constexpr std::array<std::string_view, 6> allowed{
        "application/json",     "application/x-chess-pgn", "application/vnd.chess-pgn",
        "application/x-ndjson", "application/jsonl",       "text/plain"};
    bool right = false;
    bool first = true;
    base::for_each_element(content_type.value_or(""), ';', [&](std::string_view part) {
        if (first) {
            right = std::ranges::any_of(allowed, [&](std::string_view type) {
                return base::equal_ignoring_case(part, type);
            });
        } else if (const auto name = base::lower_case(part); name.starts_with("charset=")) {
            const auto charset = name.substr(8);
            right =
                right && (charset == "utf-8" || charset == "\"utf-8\"" || charset == "us-ascii");
        }
        first = false;
    });
    if (right) {
        return {};
    }
    return refuse(
        ErrorCode::unsupported_media_type,
        "a body must be application/json, application/x-chess-pgn or text/plain, in UTF-8",
        "header.content-type");
}

} // namespace adjourn::http
