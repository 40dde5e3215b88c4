// StoreHealth: whether the store can be written to, and when to try again where it cannot. It looks
// at the store's surroundings every few seconds, and after a failure tries a write that changes
// nothing, with growing pauses. What reads have found damaged is a problem until somebody says that
// it is known: no write says anything of it, and may do more damage. Time is given, no clock is
// read.
#pragma once

#include "storage/store.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace adjourn::storage {

class StoreHealth {
public:
    using Moment = std::chrono::steady_clock::time_point;
    struct Rules {
        // Of free bytes on the disk: below it nothing is asked, so that what engines have found and
        // people say still finds room. 0: as long as there is any.
        std::uint64_t least_free = 0;
        std::chrono::milliseconds look_every{2'000};
        std::chrono::milliseconds first_pause{1'000}; // twice as long after each try in vain …
        std::chrono::milliseconds longest_pause{60'000};
    };

    StoreHealth(Store& store, Rules rules) : store_{store}, rules_{rules} {}

    // Why nothing is to be asked or written; "" while all is well.
    const std::string& problem() const { return problem_; }
    // A write has failed for its environment. The first reason stays.
    void failed(const std::string& why, Moment now);
    // To be called a few times a second. True: the problem is another than before, or gone. Blocks
    // for the disk where it tries a write.
    bool look(Moment now);
    // The next look is not put off.
    void look_soon() { next_look_ = {}; }
    // Somebody knows of the damage: it is a problem no longer, from the next look on.
    void damage_is_known();

private:
    enum class Kind : std::uint8_t {
        none,
        space,   // too little of it, while the store works
        damage,  // that reads have found, while the store works
        failure, // of a write
    };
    void set(std::string problem, Kind kind);
    std::string of_surroundings(const Surroundings& around) const;

    Store& store_;
    const Rules rules_;
    std::string problem_;
    Kind kind_ = Kind::none; // of the problem
    bool known_ = false;     // the damage
    Moment next_look_{};
    std::chrono::milliseconds pause_{};
};

} // namespace adjourn::storage
