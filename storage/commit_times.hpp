// CommitTimes: how long transactions took to become durable, as a histogram.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace adjourn::storage {

struct CommitTimes {
    using Time = std::chrono::nanoseconds;
    // Upper ends of the intervals, included; the last interval has none.
    static constexpr std::array most{Time{500'000},       Time{1'000'000},     Time{2'500'000},
                                     Time{5'000'000},     Time{10'000'000},    Time{25'000'000},
                                     Time{50'000'000},    Time{100'000'000},   Time{250'000'000},
                                     Time{500'000'000},   Time{1'000'000'000}, Time{2'500'000'000},
                                     Time{10'000'000'000}};

    std::array<std::uint64_t, most.size() + 1> commits{}; // by interval
    std::uint64_t writes = 0;                             // in all of them
    Time total{};

    void add(Time took, std::size_t writes_of_it) {
        const auto interval = std::ranges::lower_bound(most, took) - most.begin();
        ++commits.at(static_cast<std::size_t>(interval));
        writes += writes_of_it;
        total += took;
    }
};

} // namespace adjourn::storage
