#include "http/tokens.hpp"

#include "base/text.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <system_error>

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
    return std::unexpected(Error{ErrorCode::unauthorised, std::move(message), std::move(where)});
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

} // namespace

std::string random_secret() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw std::system_error(errno, std::generic_category(), "no random numbers");
    }
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

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
    std::string text = random_secret();
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

} // namespace adjourn::http
