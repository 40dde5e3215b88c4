// DamageNote: what was found damaged in a store beyond single rows, by whichever read. Any thread.
#pragma once

#include <mutex>
#include <string>

namespace adjourn::storage {

class DamageNote {
public:
    // The first one stays.
    void take(const std::string& what) {
        const std::lock_guard lock{mutex_};
        if (first_.empty()) {
            first_ = what;
        }
    }
    std::string first() const {
        const std::lock_guard lock{mutex_};
        return first_;
    }

private:
    mutable std::mutex mutex_;
    std::string first_;
};

} // namespace adjourn::storage
