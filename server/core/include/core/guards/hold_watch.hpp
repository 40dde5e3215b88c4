// HoldWatch: how long single tasks hold a thread that others wait for. That thread's alone.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace adjourn::server {

class HoldWatch {
public:
    using Clock = std::chrono::steady_clock;

    // Of one task, from its making to its end. A task inside another one is a part of that.
    class Hold {
    public:
        Hold(HoldWatch& watch, std::string_view task);
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;
        ~Hold();

    private:
        HoldWatch& watch_;
        std::string_view task_;
        Clock::time_point begun_;
    };

    struct Held {
        std::size_t times = 0;
        Clock::duration longest{};
        Clock::duration total{};
    };
    // By the name of the task.
    const std::map<std::string, Held, std::less<>>& held() const { return held_; }
    // Of all tasks.
    Clock::duration longest() const;
    // From now on.
    void forget() { held_.clear(); }

private:
    std::map<std::string, Held, std::less<>> held_;
    int depth_ = 0;
};

} // namespace adjourn::server
