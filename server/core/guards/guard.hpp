// Guard: where an exception ends that nobody expected. Every loop and every task that is posted to
// one runs under a guard, so that no exception ends the process: whoever posted the task is told
// what went wrong, and fails the analysis or the request that it belongs to.
#pragma once

#include "analysis/records.hpp"
#include "base/task_scope.hpp"
#include "storage/store_health.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

struct Trouble {
    enum class Kind {
        damaged, // one row of the store cannot be read (storage::DamagedRow)
        store,   // the store works no more (any other storage::StoreError)
        late,    // what was to be read has not come; the store may be well
        other,   // anything else: a fault of the program, or no memory
    };
    Kind kind = Kind::other;
    std::string place; // what was being done
    std::string what;  // what the exception says
};

// "in PLACE: WHAT"
std::string to_text(const Trouble& trouble);

// Runs `task` to its end. What it throws is logged with the place and returned. Never throws.
std::optional<Trouble> guarded(std::string_view place, const std::function<void()>& task) noexcept;

// Waiters: whoever waits for something that may never come, and is woken to look whether to go on.
// The core's thread alone.

class Waiters {
public:
    using Number = std::uint64_t;

    // `wake` is called each time that there is a reason to look; it must not come back here.
    Number add(std::function<void()> wake) {
        waiting_.emplace(++last_, std::move(wake));
        return last_;
    }
    void remove(Number number) { waiting_.erase(number); }
    void wake() const {
        for (const auto& [number, wake] : waiting_) {
            wake();
        }
    }
    // From now on nobody is to wait.
    void close() {
        closed_ = true;
        wake();
    }
    bool closed() const { return closed_; }

private:
    std::map<Number, std::function<void()>> waiting_;
    Number last_ = 0;
    bool closed_ = false;
};

// HoldWatch: how long single tasks hold a thread that others wait for. That thread's alone.

class HoldWatch {
public:
    using Clock = std::chrono::steady_clock;

    // Of one task, from its making to its end. A task inside another one is a part of that.
    class Hold {
    public:
        Hold(HoldWatch& watch, std::string_view task);
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        ~Hold();

    private:
        HoldWatch& watch_;
        std::string_view task_;
        Clock::time_point begun_;
    };

    struct Held {
        std::size_t times = 0;
        Clock::duration longest{};
        Clock::duration total{};
    };
    // By the name of the task.
    const std::map<std::string, Held, std::less<>>& held() const { return held_; }
    // Of all tasks.
    Clock::duration longest() const;
    // From now on.
    void forget() { held_.clear(); }

private:
    std::map<std::string, Held, std::less<>> held_;
    int depth_ = 0;
};

// Moments: when facts come about, as they are stored. The wall clock, but never earlier than a
// moment that was given or read before: else "what changed since" would leave facts out, or take
// them twice, where the clock was set back.

analysis::UnixMs steady_ms(); // of the system's steady clock, which nobody sets

// Any thread.
class Moments : public std::enable_shared_from_this<Moments> {
public:
    using Clock = std::function<analysis::UnixMs()>;

    explicit Moments(Clock wall) : wall_{std::move(wall)} {}

    // Two facts may have the same.
    analysis::UnixMs next();
    // The moment of a fact that is under way to the graphs until the last copy is gone. REQUIRES: a
    // shared_ptr has this.
    std::shared_ptr<const analysis::UnixMs> begin();
    // The latest moment whose facts are all in the graphs; none comes about at it any more.
    analysis::UnixMs complete();
    analysis::UnixMs wall() const { return wall_(); } // for what happens at a time of day
    // Of a stored fact. One that lies further ahead of the wall clock than `most_ahead` counts for
    // nothing: it was written with a clock that was wrong, and all later facts would get that
    // moment.
    void seen(analysis::UnixMs at);

    static constexpr analysis::UnixMs most_ahead{26 * 3'600'000}; // ms; time zones lie 26 h apart

private:
    analysis::UnixMs advance(); // REQUIRES: the mutex

    Clock wall_;
    std::mutex mutex_;
    analysis::UnixMs latest_ = 0;
    std::multiset<analysis::UnixMs> under_way_;
};

// Health: what went wrong on the core's thread, as long as it matters, and how long tasks held that
// thread. Used on that thread alone; it looks at the store on another one.
class Health {
public:
    // Runs a task on another thread, one after the other.
    using Executor = std::function<void(std::function<void()>)>;

    // The store must outlive it. It looks at the store at once, until it is told where else.
    // `steady`: as CoreOptions has it.
    Health(storage::Store& store, storage::StoreHealth::Rules rules,
           std::function<analysis::UnixMs()> steady = steady_ms)
        : the_store_{store}, store_{store, rules}, steady_{std::move(steady)} {}
    // By its steady clock; for all that lasts on the core's thread.
    std::chrono::steady_clock::time_point steady_now() const {
        return std::chrono::steady_clock::time_point{std::chrono::milliseconds{steady_()}};
    }
    // From now on it looks there, and what is seen comes back by `core`.
    void look_on(base::TaskScope::Poster core, Executor executor) {
        executor_.emplace(std::move(core), std::move(executor));
    }

    // Why nothing can be stored at present, or soon; "" while all is well. Nothing is asked then;
    // what is known is shown.
    const std::string& store_problem() const { return store_.problem(); }
    // Disk or database do not answer: nobody is to begin to wait for them.
    bool store_silent() const { return store_.silent(); }
    // Somebody has waited too long for the store.
    void found_silent(const std::string& why);
    // To be called a few times a second. True: the problem is another than before, or gone.
    bool look_at_store();
    // The next look is not put off.
    void look_soon() { store_.look_soon(); }
    // As the store was seen last.
    const storage::StoreEnvironment& environment() const { return store_.environment(); }
    // Evaluations in the store; none while nobody has counted them.
    std::optional<std::uint64_t> evaluations() const;
    // What somebody ought to know while the work goes on: why there are evaluations or analyses
    // that cannot be read, or what is missing; "" if there is nothing.
    const std::string& unreadable() const { return unreadable_; }
    void found_unreadable(const std::string& problem) {
        if (unreadable_.empty()) {
            unreadable_ = problem;
        }
    }
    // Somebody knows of all this, and of what is damaged: it is no problem any more, until the next
    // start or until more is found. What is set aside stays listed.
    void known();
    // What of the store is not used since it is not sound: row and reason, the first hundred.
    const std::vector<std::string>& set_aside() const { return set_aside_; }
    // Rows that were told before are not told again.
    void set_aside(const std::vector<std::string>& rows);
    // How many of them, the first ones, somebody knows of.
    std::size_t known_rows() const { return known_rows_; }
    // Keeps the first trouble of each kind that is the store's. Whether it is somebody's own, who
    // has to fail.
    bool take(const Trouble& trouble);
    // Runs a task under a guard, and takes its trouble; that which is somebody's own is returned.
    struct Attempt {
        bool done = true;
        std::optional<Trouble> own = std::nullopt;
        explicit operator bool() const { return done; }
    };
    Attempt attempt(std::string_view place, const std::function<void()>& task);
    // Told when a write has failed for its environment (may be empty).
    std::function<void()> on_store_problem;

    HoldWatch& watch() { return watch_; }

private:
    storage::Store& the_store_;
    storage::StoreHealth store_;
    std::function<analysis::UnixMs()> steady_;
    std::optional<std::pair<base::TaskScope::Poster, Executor>> executor_;
    bool changed_ = false; // by what was seen elsewhere
    std::string unreadable_;
    std::vector<std::string> set_aside_;
    std::size_t known_rows_ = 0;
    HoldWatch watch_;
};

} // namespace adjourn::server
