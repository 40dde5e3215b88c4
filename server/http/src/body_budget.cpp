#include "body_budget.hpp"

#include <utility>

namespace adjourn::http {

using Clock = std::chrono::steady_clock;

BodyBudget::Lease::Lease(BodyBudget& budget, std::function<void()> end)
    : budget_{budget}, end_{std::move(end)}, progress_{Clock::now()} {
    const std::lock_guard lock{budget_.mutex_};
    place_ = budget_.leases_.insert(budget_.leases_.end(), this);
}

BodyBudget::Lease::~Lease() {
    const std::lock_guard lock{budget_.mutex_};
    budget_.leases_.erase(place_);
    budget_.used_ -= counted_;
}

bool BodyBudget::Lease::grow_to(std::size_t bytes) {
    const std::lock_guard lock{budget_.mutex_};
    if (gave_way_) {
        return false;
    }
    progress_ = Clock::now();
    const std::size_t counted = bytes > budget_.free_ ? bytes - budget_.free_ : 0;
    if (counted > counted_) {
        if (!budget_.make_room(counted - counted_, *this)) {
            return false;
        }
        budget_.used_ += counted - counted_;
        counted_ = counted;
    }
    return true;
}

void BodyBudget::Lease::complete() {
    const std::lock_guard lock{budget_.mutex_};
    growing_ = false;
}

bool BodyBudget::make_room(std::size_t bytes, const Lease& for_whom) {
    while (used_ + bytes > total_) {
        Lease* longest = nullptr;
        for (Lease* const lease : leases_) {
            const bool stalled = lease != &for_whom && lease->growing_ && lease->counted_ > 0 &&
                                 for_whom.progress_ - lease->progress_ >= stall_;
            if (stalled && (longest == nullptr || lease->progress_ < longest->progress_)) {
                longest = lease;
            }
        }
        if (longest == nullptr) {
            return false;
        }
        // Its memory is free as soon as its connection is closed, so within moments.
        used_ -= std::exchange(longest->counted_, 0);
        longest->gave_way_ = true;
        longest->end_();
    }
    return true;
}

} // namespace adjourn::http
