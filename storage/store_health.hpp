// StoreHealth: whether the store can be used, and when to try again where it cannot. It looks at
// the store's environment a few times a second, and after a failure tries a write that changes
// nothing, with growing pauses. Whoever does not answer in time is silent; time in which this
// program did not run itself (a machine at its limit, a stopped process) is no time to answer in.
// What reads have found damaged is a problem until somebody says that it is known: no write says
// anything of it, and may do more damage. Time is given, no clock is read; nothing here waits for
// the store but look_at(), which is for a thread of its own.
#pragma once

#include "storage/store.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace adjourn::storage {

class StoreHealth {
public:
    using Moment = std::chrono::steady_clock::time_point;
    struct Rules {
        // Of free bytes on the disk: below it nothing is asked, so that what engines have found and
        // people say still finds room. 0: as long as there is any.
        std::uint64_t least_free = 0;
        std::chrono::milliseconds look_every{500};
        // Disk or database may leave a look, a read or a write unanswered so long. With the pause
        // between looks, less than two seconds.
        std::chrono::milliseconds silence{1'200};
        // What counts of the time between two calls of due(), which come a few times a second.
        std::chrono::milliseconds longest_step{400};
        std::chrono::milliseconds first_pause{1'000}; // twice as long after each try in vain …
        // … up to this, so that one that is back is noticed soon
        std::chrono::milliseconds longest_pause{4'000};
    };
    // What a look finds.
    struct Sight {
        StoreEnvironment around;
        bool tried = false;     // a trial write, if nothing else was wrong
        bool recovered = false; // it was durable
    };

    // Blocks for the disk, for the first look at the environment.
    StoreHealth(Store& store, Rules rules)
        : store_{store}, rules_{rules}, around_{store.environment()} {}

    // Why nothing is to be asked or written; "" while all is well.
    const std::string& problem() const { return problem_; }
    // It is that disk or database do not answer: nobody is to begin to wait for them.
    bool silent() const { return silent_; }
    // A write has failed for its environment. The first reason stays.
    void failed(const std::string& why, Moment now);
    // Somebody has waited too long. True: the problem is another than before.
    bool found_silent(const std::string& why, Moment now);

    // ---- looking ----
    // To be called a few times a second. Whether look_at() is to be called now, for saw(). Finds
    // out who is silent, too: `changed` is set where the problem is another than before.
    bool due(Moment now, bool& changed);
    // What it is to try, as it stands now.
    struct Try {
        bool write = false;
        bool damage_known = false;
        std::uint64_t least_free = 0;
    };
    Try what_to_try() const;
    // Any thread; blocks for the disk.
    static Sight look_at(Store& store, Try what);
    // True: the problem is another than before, or gone.
    bool saw(const Sight& sight, Moment now);
    // All of it at once. Blocks for the disk.
    bool look(Moment now);

    // The next look is not put off.
    void look_soon() { next_look_ = {}; }
    // Somebody knows of the damage: it is a problem no longer, from the next look on.
    void damage_is_known();
    // As it was seen last.
    const StoreEnvironment& environment() const { return around_; }

private:
    enum class Kind : std::uint8_t {
        none,
        space,   // too little of it, while the store works
        damage,  // that reads have found, while the store works
        failure, // of a write, or nobody answers
    };
    void set(std::string problem, Kind kind);
    std::uint64_t least_free() const;
    std::string of_environment(const StoreEnvironment& around) const;

    Store& store_;
    const Rules rules_;
    std::string problem_;
    Kind kind_ = Kind::none; // of the problem
    bool known_ = false;     // the damage
    bool silent_ = false;
    Moment next_look_{};
    std::optional<Moment> last_due_;
    std::chrono::nanoseconds write_silent_{};
    std::optional<std::chrono::nanoseconds> looking_for_; // none: no look is under way
    std::chrono::milliseconds pause_{};
    StoreEnvironment around_;
};

} // namespace adjourn::storage
