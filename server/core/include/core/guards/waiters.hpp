// Waiters: whoever waits for something that may never come, and is woken to look whether to go on.
// The core's thread alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace adjourn::server {

class Waiters {
public:
    using Number = std::uint64_t;

    // `wake` is called each time that there is a reason to look; it must not come back here.
    Number add(std::function<void()> wake) {
        waiting_.emplace(++last_, std::move(wake));
        return last_;
    }
    void remove(Number number) { waiting_.erase(number); }
    void wake() const {
        for (const auto& [number, wake] : waiting_) {
            wake();
        }
    }
    // From now on nobody is to wait.
    void close() {
        closed_ = true;
        wake();
    }
    bool closed() const { return closed_; }

private:
    std::map<Number, std::function<void()>> waiting_;
    Number last_ = 0;
    bool closed_ = false;
};

} // namespace adjourn::server
