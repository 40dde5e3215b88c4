#include "core/guards/moments.hpp"

#include <algorithm>
#include <chrono>

namespace adjourn::server {

analysis::UnixMs steady_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

analysis::UnixMs Moments::next() {
    const analysis::UnixMs now = wall_();
    analysis::UnixMs before = latest_;
    while (before < now && !latest_.compare_exchange_weak(before, now)) {
    }
    return std::max(before, now);
}

void Moments::seen(analysis::UnixMs at) {
    if (at > wall_() + most_ahead) {
        return;
    }
    analysis::UnixMs before = latest_;
    while (before < at && !latest_.compare_exchange_weak(before, at)) {
    }
}

} // namespace adjourn::server
