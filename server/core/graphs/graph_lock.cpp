#include "core/graphs/graph_lock.hpp"

#include <utility>

namespace adjourn::server {

bool GraphLock::try_write() {
    const std::scoped_lock lock{mutex_};
    if (readers_ == 0) {
        writing_ = true;
        tried_ = false;
        return true;
    }
    if (!tried_) {
        tried_ = true;
        wanted_ = true;
        wanted_at_ = Clock::now();
    }
    return false;
}

void GraphLock::write() {
    std::unique_lock lock{mutex_};
    if (readers_ > 0) {
        wanted_ = true;
        urgent_ = true;
        changed_.wait(lock, [&] { return readers_ == 0; });
    }
    writing_ = true;
}

void GraphLock::written() {
    std::function<void()> free;
    {
        const std::scoped_lock lock{mutex_};
        writing_ = false;
        urgent_ = false;
        wanted_ = tried_; // what waited before waits on
        free = tried_ ? free_ : nullptr;
    }
    changed_.notify_all();
    if (free) {
        free();
    }
}

void GraphLock::set_free(std::function<void()> free) {
    const std::scoped_lock lock{mutex_};
    free_ = std::move(free);
}

// A change that has waited for too long goes before those who come to read. It may never come: the
// program may be about to end.
void GraphLock::wait_for_writer(std::unique_lock<std::mutex>& lock) {
    if (overdue()) {
        if (!changed_.wait_for(lock, patience, [&] { return !overdue(); })) {
            wanted_at_ = Clock::now(); // it waits once more before readers wait for it
        }
    }
    changed_.wait(lock, [&] { return !writing_; });
}

void GraphLock::stop_reading(std::unique_lock<std::mutex>& lock) {
    --readers_;
    if (readers_ > 0 || !wanted_) {
        return;
    }
    const auto free = free_;
    lock.unlock();
    changed_.notify_all();
    if (free) {
        free();
    }
    lock.lock();
}

void GraphLock::enter() {
    std::unique_lock lock{mutex_};
    wait_for_writer(lock);
    ++readers_;
}

void GraphLock::leave() {
    std::unique_lock lock{mutex_};
    stop_reading(lock);
}

void GraphLock::let_in() {
    std::unique_lock lock{mutex_};
    if (overdue()) {
        stop_reading(lock);
        wait_for_writer(lock);
        ++readers_;
    }
}

} // namespace adjourn::server
