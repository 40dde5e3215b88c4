#include "core/graphs/ordered_writes.hpp"

#include <utility>

namespace adjourn::server {

void OrderedWrites::add(Task task) {
    tasks_.push_back(std::move(task));
    begin_next();
}

// What begins or ends may add others: they come after it.
void OrderedWrites::begin_next() {
    if (std::exchange(busy_, true)) {
        return;
    }
    while (!under_way_ && !tasks_.empty()) {
        const auto shared = std::make_shared<Shared>();
        const auto done = [this, core = core_, shared](const Outcome& outcome) {
            {
                const std::lock_guard lock{shared->mutex};
                shared->outcome = outcome;
            }
            shared->came.notify_one();
            core.post([this, shared] { take(shared); });
        };
        bool writes = false;
        const Task task = tasks_.front();
        attempt_([&] { writes = task.begin(done); });
        if (writes) {
            under_way_ = shared;
        } else {
            tasks_.pop_front();
        }
    }
    busy_ = false;
}

// Once: whoever waits takes it before what was posted does.
void OrderedWrites::take(const std::shared_ptr<Shared>& from) {
    if (under_way_ != from) {
        return;
    }
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    Outcome outcome;
    {
        const std::lock_guard lock{from->mutex};
        outcome = *from->outcome;
    }
    busy_ = true;
    under_way_.reset();
    attempt_([&] { task.end(outcome); });
    busy_ = false;
    begin_next();
}

void OrderedWrites::wait() {
    while (under_way_) {
        const auto shared = under_way_;
        {
            std::unique_lock lock{shared->mutex};
            shared->came.wait(lock, [&] { return shared->outcome.has_value(); });
        }
        take(shared);
    }
}

} // namespace adjourn::server
