// Who may ask: Host, Origin and media type of a request. Pure. (Who may do what: tokens.hpp.)
//
// A page of another site can make a browser send requests here. Two things stop it: Host must name
// this server, so that a foreign name that was pointed at 127.0.0.1 (DNS rebinding) gets nothing,
// and a present Origin must name it too, so that a foreign page cannot post.
#pragma once

#include "http/requests/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

// "name:port"; host in lower case, IPv6 addresses in their shortest form and without brackets.
struct Authority {
    std::string host;
    std::optional<std::uint16_t> port;

    friend bool operator==(const Authority&, const Authority&) = default;
};

std::optional<Authority> parse_authority(std::string_view text);

class AccessPolicy {
public:
    // `address`: the numeric one that was bound. `hosts`: further names, "name" or "name:port".
    // Throws std::invalid_argument naming an entry of `hosts` that is no name.
    AccessPolicy(std::string address, std::uint16_t port, const std::vector<std::string>& hosts);

    // Allowed: localhost, 127.0.0.1, [::1], the bound address and `local_address` (the numeric one
    // this connection came in on), each with the bound port, which may be left out only if it is
    // 80; a further "name:port" exactly so; a further "name" with the bound port or without one, as
    // it comes through a proxy on the usual ports.
    std::expected<void, Error> check_host(std::optional<std::string_view> host,
                                          std::string_view local_address) const;

    // No Origin passes; else its authority must be one that check_host allows, where the scheme's
    // usual port may be left out. "null" is nobody's.
    std::expected<void, Error> check_origin(std::optional<std::string_view> origin,
                                            std::string_view local_address) const;

private:
    bool allows(const Authority& authority, std::optional<std::uint16_t> usual_port,
                std::string_view local_address) const;

    std::vector<std::string> own_;
    std::uint16_t port_;
    std::vector<Authority> further_;
};

// For requests that change something: `site`, a browser's Sec-Fetch-Site, is not "cross-site".
// Programs that are no browsers send none.
std::expected<void, Error> check_fetch_site(std::optional<std::string_view> site);

// Media types a body may have: JSON, PGN, plain text (FEN, EPD, moves), JSON lines; charset UTF-8.
std::expected<void, Error> check_content_type(std::optional<std::string_view> content_type);

} // namespace adjourn::http
