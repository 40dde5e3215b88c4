#include "core/guards/guard.hpp"

#include "base/text.hpp"
#include "storage/store.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace adjourn::server {

namespace {

// Of the exception that is being handled. What it says may name files in any encoding.
Trouble present_trouble(std::string_view place) noexcept {
    Trouble trouble;
    try {
        trouble.place = place;
        try {
            throw;
        } catch (const storage::DamagedRow& error) {
            trouble.kind = Trouble::Kind::damaged;
            trouble.what = base::to_utf8(error.what());
        } catch (const storage::StoreError& error) {
            trouble.kind = Trouble::Kind::store;
            trouble.what = base::to_utf8(error.what());
        } catch (const std::exception& error) {
            trouble.what = base::to_utf8(error.what());
        } catch (...) {
            trouble.what = "an exception of unknown type";
        }
        spdlog::error("{}: {}", trouble.place, trouble.what);
    } catch (...) {
        // No memory to say more; the kind is told all the same.
        trouble.what.clear();
    }
    return trouble;
}

} // namespace

std::string to_text(const Trouble& trouble) {
    return "in " + trouble.place + ": " + trouble.what;
}

std::optional<Trouble> guarded(std::string_view place, const std::function<void()>& task) noexcept {
    try {
        task();
        return std::nullopt;
    } catch (...) {
        return present_trouble(place);
    }
}

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
