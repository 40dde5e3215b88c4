// Counts that only grow and have to fit a signed 64-bit column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace adjourn::base {

// a + b, at most 2^63 − 1.
constexpr std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    return std::min(std::min(a, most) + std::min(b, most), most);
}

} // namespace adjourn::base
