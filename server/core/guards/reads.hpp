// Reads: what somebody waits for that only the store or its disk knows. It is read on threads of
// their own, so that nobody else waits; and only so long. What then is still not read is not begun
// once more as long as it hangs; where all threads hang, the store is silent, and nothing is. Made
// and used on the core's thread.
#pragma once

#include "base/task_scope.hpp"
#include "core/guards/guard.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

class Background {
public:
    // Runs a task on a thread of its own, one after the other, in this order. Empty: everything is
    // done at once, on the core's thread.
    using Executor = std::function<void(std::function<void()>)>;

    Background(base::TaskScope::Poster core, Health& health, Executor executor)
        : core_{std::move(core)}, health_{health}, executor_{std::move(executor)} {}
    ~Background() { stop(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    bool at_once() const { return !executor_; }
    using Read = std::function<std::function<void()>()>;
    using Failed = std::function<void(const std::string&)>;
    // `read` runs elsewhere and returns what is then to be done here; it must not touch what is
    // this thread's. If it throws, `failed` is told why, here. What fails because the store does
    // waits for again(), and runs then from its beginning; `failed` is told if that happens
    // `most_failures` times.
    void read(Read read, Failed failed);
    // The store works again.
    void again();
    static constexpr int most_failures = 5;
    // Calls `step` until it returns false, a few milliseconds at a time; others have their turn
    // between.
    void in_slices(std::function<bool()> step);
    // Once what was posted to this thread before is done.
    void soon(std::function<void()> task);
    // The same, for other threads; may outlive this.
    std::function<void(std::function<void()>)> poster() const;
    // To free what is large takes long.
    void let_go(std::shared_ptr<void> last);

    // From now on nothing more is taken over; `stopping()` is true for whoever reads.
    void stop() { *stopping_ = true; }
    std::shared_ptr<const std::atomic<bool>> stopping() const { return stopping_; }

private:
    struct PutOff {
        Read read;
        Failed failed;
        int failures = 0; // so far
    };
    void begin(PutOff what);

    base::TaskScope::Poster core_;
    Health& health_;
    Executor executor_;
    std::vector<PutOff> put_off_; // until the store works
    std::shared_ptr<std::atomic<bool>> stopping_ = std::make_shared<std::atomic<bool>>(false);
};

class Reads {
public:
    using Executor = Background::Executor;
    // A read that has begun gets so long; the clock is looked at with each look_after(). Of the
    // time between two of these no more counts than longest_step: else this program did not run
    // itself.
    static constexpr std::chrono::milliseconds patience{1'000};
    static constexpr std::chrono::milliseconds longest_step{400};

    // How many tasks `executor` runs at a time.
    static constexpr std::size_t threads = 3;

    // `executor` runs a task on another thread, one of several; empty: at once, on the core's.
    Reads(base::TaskScope::Poster core, Health& health, Executor executor)
        : core_{std::move(core)}, health_{health}, executor_{std::move(executor)},
          looked_after_{health.steady_now()} {}
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
    bool at_once() const { return !executor_; }

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
    Executor executor_;
    std::map<std::uint64_t, Read> reads_; // that are waited for
    std::uint64_t last_ = 0;
    Clock::time_point looked_after_;
    std::map<std::uint64_t, std::string> hanging_; // begun, and given up: the place of each
};

} // namespace adjourn::server
