#include "http/tokens.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

namespace adjourn::http {

namespace {

// Looks at every byte whatever it finds, so that the time tells nothing of where they differ.
bool equal_in_constant_time(std::string_view given, std::string_view secret) {
    if (secret.empty()) {
        return false;
    }
    unsigned difference = given.size() == secret.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto left = static_cast<unsigned char>(given[i]);
        const auto right = static_cast<unsigned char>(secret[i % secret.size()]);
        difference |= static_cast<unsigned>(left ^ right);
    }
    return difference == 0;
}

std::unexpected<Error> unauthorised(std::string message, std::string where) {
    return refuse(ErrorCode::unauthorised, std::move(message), std::move(where));
}

bool is_tenfold(std::size_t count) {
    while (count % 10 == 0) {
        count /= 10;
    }
    return count == 1;
}

[[maybe_unused]] bool sound(const Secrets& secrets) {
    return !secrets.full.empty() ||
           (secrets.reading.empty() && secrets.working.empty() && secrets.found.empty());
}

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

} // namespace

Tokens::Tokens(Secrets secrets) : secrets_(std::move(secrets)) {
    assert(sound(secrets_));
}

void Tokens::set(Secrets secrets) {
    assert(sound(secrets));
    const std::lock_guard lock(mutex_);
    secrets_ = std::move(secrets);
    tickets_.clear();
}

void Tokens::set_links(Links links) {
    const std::lock_guard lock(mutex_);
    links_ = std::move(links);
    std::erase_if(tickets_, [&](const Ticket& each) {
        return each.grant == Right::shared && !links_.contains(each.grant.link);
    });
}

bool Tokens::holds(const std::string& link) const {
    const std::lock_guard lock(mutex_);
    return links_.contains(link);
}

bool Tokens::required() const {
    const std::lock_guard lock(mutex_);
    return !secrets_.full.empty();
}

std::expected<Grant, Error> Tokens::check(std::optional<std::string_view> authorization) const {
    constexpr std::string_view scheme = "bearer ";
    const bool shown =
        authorization && base::equal_ignoring_case(authorization->substr(0, scheme.size()), scheme);
    const auto given =
        shown ? base::trimmed(authorization->substr(scheme.size())) : std::string_view{};
    const std::lock_guard lock(mutex_);
    if (given.starts_with(link_prefix)) {
        const Links::value_type* found = nullptr;
        for (const auto& link : links_) { // all of them, wherever it is
            found = equal_in_constant_time(given, link.first) ? &link : found;
        }
        if (found != nullptr) {
            return Grant{Right::shared, found->first, found->second};
        }
    } else if (secrets_.full.empty()) {
        return Grant{Right::full};
    }
    if (!shown) {
        return unauthorised("this server wants its token", "header.authorization");
    }
    const bool full = equal_in_constant_time(given, secrets_.full);
    const bool reading = equal_in_constant_time(given, secrets_.reading);
    const bool working = equal_in_constant_time(given, secrets_.working);
    const bool found = equal_in_constant_time(given, secrets_.found);
    if (full || reading || working || found) {
        return Grant{full ? Right::full : reading ? Right::read : Right::work};
    }
    return unauthorised("this is not the token of this server", "header.authorization");
}

std::string Tokens::give_ticket(Grant grant, Time now) {
    std::string text = base::random_secret();
    const std::lock_guard lock(mutex_);
    if (grant == Right::shared && !links_.contains(grant.link)) {
        return text; // of a link that was revoked meanwhile: of no use
    }
    const auto of_link = [](const Ticket& each) { return each.grant == Right::shared; };
    if (grant == Right::shared &&
        std::ranges::count_if(tickets_, of_link) >= std::ptrdiff_t{most_link_tickets}) {
        tickets_.erase(std::ranges::find_if(tickets_, of_link)); // others lose none by it
    } else if (tickets_.size() >= most_tickets) {
        tickets_.pop_front();
    }
    tickets_.push_back({text, std::move(grant), now + ticket_life});
    return text;
}

std::expected<Grant, Error> Tokens::use_ticket(std::string_view ticket, Time now) {
    const std::lock_guard lock(mutex_);
    while (!tickets_.empty() && tickets_.front().until <= now) {
        tickets_.pop_front();
    }
    const auto found = std::ranges::find_if(
        tickets_, [&](const Ticket& each) { return equal_in_constant_time(ticket, each.text); });
    if (found == tickets_.end()) {
        return unauthorised("this ticket was used already or is older than a minute: ask for "
                            "another one by POST tickets",
                            "query.ticket");
    }
    Grant grant = std::move(found->grant);
    tickets_.erase(found);
    return grant;
}

WrongTokens::Verdict WrongTokens::tried(const std::string& address, Time now) {
    const std::lock_guard lock(mutex_);
    std::erase_if(tries_,
                  [&](const auto& each) { return each.second.last + forgiven_after <= now; });
    if (tries_.size() >= most_addresses && !tries_.contains(address)) {
        tries_.erase(std::ranges::min_element(tries_, {},
                                              [](const auto& each) { return each.second.last; }));
    }
    Tries& tries = tries_[address];
    tries.last = now;
    ++tries.count;
    auto pause = first_pause;
    for (std::size_t i = 1; i < tries.count && pause < longest_pause; ++i) {
        pause *= 2;
    }
    return {std::min(pause, longest_pause),
            is_tenfold(tries.count) ? std::optional{tries.count} : std::nullopt};
}

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
