// Tokens: who may do what, by the secret that a request shows.
//
// Four secrets, each optional: the full one allows everything, the reading one only GET and HEAD,
// the workers' two only what other machines need to answer questions. A ticket stands for one of
// the first two in the address of one event stream, because a browser's EventSource sends no
// headers: it is used up by that, and of no use after a minute, so it may stand in a log.
#pragma once

#include "http/requests/error.hpp"

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

namespace adjourn::http {

enum class Right : std::uint8_t { read, work, full };

struct Secrets {
    std::string full;         // "" = none: everybody may do everything
    std::string reading;      // "" = none; only beside a full one
    std::string working = {}; // the same
    std::string found = {};   // the same; of workers that found this server by its database

    friend bool operator==(const Secrets&, const Secrets&) = default;
};

// 128 bits, in hexadecimal digits. Throws std::system_error where there are no random numbers.
std::string random_secret();

// Any thread. `now` is of one steady clock.
class Tokens {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::chrono::seconds ticket_life{60};
    static constexpr std::size_t most_tickets = 1024; // the oldest gives way

    // REQUIRES: no other secret without a full one.
    explicit Tokens(Secrets secrets);

    // From now on these count; tickets given before are void.
    void set(Secrets secrets);

    bool required() const;

    // What "Authorization: Bearer SECRET" allows; everything where none is required. Takes the same
    // time for all wrong secrets of one length.
    std::expected<Right, Error> check(std::optional<std::string_view> authorization) const;

    std::string give_ticket(Right right, Time now);
    std::expected<Right, Error> use_ticket(std::string_view ticket, Time now);

private:
    struct Ticket {
        std::string text;
        Right right;
        Time until;
    };

    mutable std::mutex mutex_;
    Secrets secrets_;
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

} // namespace adjourn::http
