// std::ranges::contains, which g++ 12 does not have yet.
#pragma once

#include <algorithm>

namespace adjourn::base {

template <class Range, class Value>
constexpr bool contains(const Range& range, const Value& value) {
    return std::find(range.begin(), range.end(), value) != range.end();
}

} // namespace adjourn::base
