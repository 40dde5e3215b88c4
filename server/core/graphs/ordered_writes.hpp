// OrderedWrites: writes that people wait for, one after the other: each begins when what the one
// before it has changed is durable and has taken effect, and so sees it. Nobody waits for the disk
// on the core's thread, where all of this is used.
#pragma once

#include "base/task_scope.hpp"
#include "storage/store.hpp"

#include <condition_variable>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace adjourn::server {

class OrderedWrites {
public:
    using Outcome = std::expected<storage::Written, std::string>;
    // `begin` hands a write to the store with the callback and returns true, or returns false if
    // there is nothing to write. `end` is called after a write.
    struct Task {
        std::function<bool(const storage::Done&)> begin;
        std::function<void(const Outcome&)> end;
    };

    // Runs a task under a guard. Whether all went well.
    using Attempt = std::function<bool(const std::function<void()>&)>;

    OrderedWrites(base::TaskScope::Poster core, Attempt attempt)
        : core_{std::move(core)}, attempt_{std::move(attempt)} {}
    OrderedWrites(const OrderedWrites&) = delete;
    OrderedWrites& operator=(const OrderedWrites&) = delete;

    // Begins now if none is under way.
    void add(Task task);
    // Returns when none is left. Blocks for the disk.
    void wait();

private:
    // Of the write that is under way; the store's thread tells it.
    struct Shared {
        std::mutex mutex;
        std::condition_variable came;
        std::optional<Outcome> outcome;
    };

    void begin_next();
    void take(const std::shared_ptr<Shared>& from);

    base::TaskScope::Poster core_;
    Attempt attempt_;
    std::deque<Task> tasks_; // the first one is under way if there is an under_way_
    std::shared_ptr<Shared> under_way_;
    bool busy_ = false; // something begins or ends
};

} // namespace adjourn::server
