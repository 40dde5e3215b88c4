#include "core/guards/hold_watch.hpp"

#include <algorithm>

namespace adjourn::server {

HoldWatch::Hold::Hold(HoldWatch& watch, std::string_view task)
    : watch_{watch}, task_{task}, begun_{Clock::now()} {
    ++watch_.depth_;
}

HoldWatch::Hold::~Hold() {
    if (--watch_.depth_ > 0) {
        return;
    }
    const Clock::duration time = Clock::now() - begun_;
    auto found = watch_.held_.find(task_);
    if (found == watch_.held_.end()) {
        found = watch_.held_.emplace(std::string{task_}, Held{}).first;
    }
    Held& held = found->second;
    ++held.times;
    held.longest = std::max(held.longest, time);
    held.total += time;
}

HoldWatch::Clock::duration HoldWatch::longest() const {
    Clock::duration longest{};
    for (const auto& [task, held] : held_) {
        longest = std::max(longest, held.longest);
    }
    return longest;
}

} // namespace adjourn::server
