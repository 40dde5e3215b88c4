// Reads: what somebody waits for that only the store or its disk knows. It is read on threads of
// their own, so that nobody else waits; and only so long. What then is still not read is not begun
// once more as long as it hangs; where all threads hang, the store is silent, and nothing is. Made
// and used on the core's thread.
#pragma once

#include "core/guards/background.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::server {

class Reads {
public:
    using Elsewhere = Background::Elsewhere;
    // A read that has begun gets so long; the clock is looked at with each look_after(). Of the
    // time between two of these no more counts than longest_step: else this program did not run
    // itself.
    static constexpr std::chrono::milliseconds patience{1'000};
    static constexpr std::chrono::milliseconds longest_step{400};

    // How many tasks `elsewhere` runs at a time.
    static constexpr std::size_t threads = 3;

    // `elsewhere` runs a task on another thread, one of several; empty: at once, on the core's.
    Reads(base::TaskScope::Poster core, Health& health, Elsewhere elsewhere)
        : core_{std::move(core)}, health_{health}, elsewhere_{std::move(elsewhere)} {}
    Reads(const Reads&) = delete;
    Reads& operator=(const Reads&) = delete;

    // `place` says what is read: of one place one read hangs at most. What went wrong; nothing
    // where `read` has come to its end.
    using Done = std::function<void(const std::optional<Trouble>&)>;
    // `done` is called once, on the core's thread; perhaps at once, or while `read` hangs. So
    // `read` must own what it touches, or share it with nobody who uses it after that.
    void ask(const std::string& place, std::function<void()> read, Done done);
    // To be called a few times a second.
    void look_after();
    bool at_once() const { return !elsewhere_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Shared {
        std::atomic<bool> begun = false;
        std::atomic<bool> given_up = false;
    };
    struct Read {
        std::string place;
        std::shared_ptr<Shared> shared;
        Done done;
        Clock::duration waited{}; // since it was seen to have begun
    };

    bool hangs(const std::string& place) const;
    Trouble silence(const std::string& place) const;
    void came(std::uint64_t number, const std::optional<Trouble>& trouble);
    void give_up(std::map<std::uint64_t, Read>::iterator read);

    base::TaskScope::Poster core_;
    Health& health_;
    Elsewhere elsewhere_;
    std::map<std::uint64_t, Read> reads_; // that are waited for
    std::uint64_t last_ = 0;
    Clock::time_point looked_after_ = Clock::now();
    std::map<std::uint64_t, std::string> hanging_; // begun, and given up: the place of each
};

} // namespace adjourn::server
