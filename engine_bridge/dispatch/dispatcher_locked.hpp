// The dispatcher's lock, and what is told once it is open.
#pragma once

#include "engine_bridge/dispatch/dispatcher.hpp"

#include <utility>

namespace adjourn::engine_bridge {

class Dispatcher::Locked {
public:
    explicit Locked(const Dispatcher& dispatcher) : lock_{dispatcher.mutex_} {}
    ~Locked() {
        lock_.unlock();
        for (auto& [done, result] : ended_) {
            done(std::move(result));
        }
        for (const std::function<void()>& call : calls_) {
            call();
        }
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

    void end(Done done, Result result) { ended_.emplace_back(std::move(done), std::move(result)); }
    void call(std::function<void()> call) {
        if (call) {
            calls_.push_back(std::move(call));
        }
    }

private:
    std::unique_lock<std::mutex> lock_;
    std::vector<std::pair<Done, Result>> ended_;
    std::vector<std::function<void()>> calls_;
};

} // namespace adjourn::engine_bridge
