#include "core/guards/moments.hpp"

#include <algorithm>

namespace adjourn::server {

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
