// Tokens: who may do what, by the secret that a request shows.
//
// Four secrets, each optional: the full one allows everything, the reading one only GET and HEAD,
// the workers' two only what other machines need to answer questions. Besides, each link has one:
// it lets people read what it was made for, and nothing else. A ticket stands for one of those that
// may read in the address of one event stream, because a browser's EventSource sends no headers: it
// is used up by that, and of no use after a minute, so it may stand in a log.
#pragma once

#include "http/requests/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

enum class Right : std::uint8_t { read, work, full, shared };

// What a link shows.
struct Shown {
    std::int64_t analysis = 0;
    std::int64_t file = 0; // of games, of that analysis; 0: the analysis with all that it has

    bool covers(const Shown& other) const {
        return analysis == other.analysis && (file == 0 || file == other.file);
    }
    friend bool operator==(const Shown&, const Shown&) = default;
};

// What a request may do.
struct Grant {
    Right right = Right::shared;
    // Of shared: its link.
    std::string link = {};
    Shown shown = {};

    friend bool operator==(const Grant& grant, Right right) { return grant.right == right; }
};

// Who may read an address, besides whoever has the full token.
struct Readers {
    bool token = true;          // the token for reading
    std::optional<Shown> links; // those that show this
};

// The links that hold, by their secrets.
using Links = std::map<std::string, Shown>;

struct Secrets {
    std::string full;         // "" = none: everybody may do everything
    std::string reading;      // "" = none; only beside a full one
    std::string working = {}; // the same
    std::string found = {};   // the same; of workers that found this server by its database

    friend bool operator==(const Secrets&, const Secrets&) = default;
};

// The secret of a link begins so: one that does not hold any more is never taken for anything else,
// also where no token is required.
inline constexpr std::string_view link_prefix = "link-";

// Any thread. `now` is of one steady clock.
class Tokens {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::chrono::seconds ticket_life{60};
    static constexpr std::size_t most_tickets = 1024;     // the oldest gives way
    static constexpr std::size_t most_link_tickets = 256; // among them; the oldest of links does

    // REQUIRES: no other secret without a full one.
    explicit Tokens(Secrets secrets);

    // From now on these count; tickets given before are void.
    void set(Secrets secrets);
    // From now on these links hold, and no others; nor do tickets of others.
    void set_links(Links links);

    bool required() const;
    bool holds(const std::string& link) const;

    // What "Authorization: Bearer SECRET" allows; everything where no token is required, but for
    // secrets of links. Takes the same time for all wrong secrets of one length.
    std::expected<Grant, Error> check(std::optional<std::string_view> authorization) const;

    std::string give_ticket(Grant grant, Time now);
    std::expected<Grant, Error> use_ticket(std::string_view ticket, Time now);

private:
    struct Ticket {
        std::string text;
        Grant grant;
        Time until;
    };

    mutable std::mutex mutex_;
    Secrets secrets_;
    Links links_;
    std::deque<Ticket> tickets_; // oldest first
};

// Wrong secrets by the address they came from: each answer is given later than the one before.
// A right secret is never kept waiting, so that nobody can lock out its owner. Any thread.
class WrongTokens {
public:
    using Time = Tokens::Time;

    static constexpr std::chrono::milliseconds first_pause{100};
    static constexpr std::chrono::milliseconds longest_pause{3'200};
    static constexpr std::chrono::minutes forgiven_after{1};
    static constexpr std::size_t most_addresses = 1024; // the one that tried longest ago gives way

    struct Verdict {
        std::chrono::milliseconds pause; // before the refusal is sent
        // How many came from there so far, where the log should say it: the first, the tenth, the
        // hundredth …
        std::optional<std::size_t> to_log;
    };
    Verdict tried(const std::string& address, Time now);

private:
    struct Tries {
        std::size_t count = 0;
        Time last;
    };

    std::mutex mutex_;
    std::map<std::string, Tries> tries_;
};

// Who may ask: Host, Origin and media type of a request. Pure. (Who may do what: tokens.hpp.)
//
// A page of another site can make a browser send requests here. Two things stop it: Host must name
// this server, so that a foreign name that was pointed at 127.0.0.1 (DNS rebinding) gets nothing,
// and a present Origin must name it too, so that a foreign page cannot post.

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
