// RecentDeaths: how often a place for a process lost one within the last minute. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>

namespace adjourn::engine_bridge {

class RecentDeaths {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::minutes window{1};

    void add(Time now) {
        while (!times_.empty() && now - times_.front() >= window) {
            times_.pop_front();
        }
        times_.push_back(now);
    }
    std::size_t count(Time now) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(times_, [now](Time then) { return now - then < window; }));
    }

private:
    std::deque<Time> times_; // ascending; the growing pause keeps it short
};

} // namespace adjourn::engine_bridge
