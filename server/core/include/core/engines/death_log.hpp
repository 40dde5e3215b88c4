// DeathLog: which deaths of engine processes get a line in the log. An engine that dies all the
// time must not fill it. Pure.
#pragma once

#include <chrono>
#include <cstddef>

namespace adjourn::server {

class DeathLog {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::size_t most_lines = 10; // in a minute
    static constexpr std::chrono::minutes period{1};

    struct Line {
        bool written = false;
        std::size_t left_out = 0; // before this one, since the last line
    };
    // A process has died.
    Line died(Time now) {
        if (lines_ == 0 || now - began_ >= period) {
            began_ = now;
            lines_ = 0;
        }
        if (lines_ == most_lines) {
            ++left_out_;
            return {};
        }
        ++lines_;
        const Line line{true, left_out_};
        left_out_ = 0;
        return line;
    }

private:
    Time began_{};
    std::size_t lines_ = 0;
    std::size_t left_out_ = 0;
};

} // namespace adjourn::server
