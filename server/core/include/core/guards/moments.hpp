// Moments: when facts come about, as they are stored. The wall clock, but never earlier than a
// moment that was given or read before: else "what changed since" would leave facts out, or take
// them twice, where the clock was set back.
#pragma once

#include "analysis/records.hpp"

#include <atomic>
#include <functional>
#include <utility>

namespace adjourn::server {

analysis::UnixMs steady_ms(); // of the system's steady clock, which nobody sets

// Any thread.
class Moments {
public:
    using Clock = std::function<analysis::UnixMs()>;

    explicit Moments(Clock wall) : wall_{std::move(wall)} {}

    // Two facts may have the same.
    analysis::UnixMs next();
    analysis::UnixMs wall() const { return wall_(); } // for what happens at a time of day
    // Of a stored fact. One that lies further ahead of the wall clock than `most_ahead` counts for
    // nothing: it was written with a clock that was wrong, and all later facts would get that
    // moment.
    void seen(analysis::UnixMs at);

    static constexpr analysis::UnixMs most_ahead{26 * 3'600'000}; // ms; time zones lie 26 h apart

private:
    Clock wall_;
    std::atomic<analysis::UnixMs> latest_ = 0;
};

} // namespace adjourn::server
