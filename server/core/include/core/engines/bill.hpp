// Bill: what the search of a question has cost, paid in parts while it lasts, each part once. Any
// thread: a part is taken by whoever stores it first, the core's or the bridge's.
#pragma once

#include "storage/store.hpp"

#include <mutex>
#include <optional>

namespace adjourn::server {

class Bill {
public:
    // What of the cost so far is to be paid now; nothing: the answer has come.
    std::optional<storage::Cost> part(const storage::Cost& so_far);
    // What the answer is to pay, and no part any more.
    storage::Cost rest(const storage::Cost& all);
    // What of the cost so far nobody has paid.
    storage::Cost unpaid(const storage::Cost& so_far) const;
    storage::Cost parts() const; // that were paid, of the present search
    bool settled() const;
    // Another search of the question has begun, since the last one had no answer.
    void begin_again();

private:
    storage::Cost pay(const storage::Cost& so_far);

    mutable std::mutex mutex_;
    storage::Cost paid_;
    storage::Cost parts_;
    bool settled_ = false;
};

} // namespace adjourn::server
