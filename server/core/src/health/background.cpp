#include "core/health/background.hpp"

#include <chrono>

namespace adjourn::server {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds slice{3};
constexpr const char* taking_over = "taking over what was read";

} // namespace

void Background::read(std::function<std::function<void()>()> read,
                      std::function<void(const std::string&)> failed) {
    const auto work = [read = std::move(read), failed = std::move(failed)] {
        std::function<void()> then;
        if (const auto trouble = guarded("reading the store", [&] { then = read(); })) {
            return std::function<void()>{[failed, what = trouble->what] { failed(what); }};
        }
        return then;
    };
    if (at_once()) {
        health_.attempt(taking_over, work());
        return;
    }
    elsewhere_([this, core = core_, leaving = leaving_, work] {
        core.post([this, leaving, then = work()] {
            if (!*leaving) {
                const HoldWatch::Hold hold{health_.watch(), "read"};
                health_.attempt(taking_over, then);
            }
        });
    });
}

void Background::in_slices(std::function<bool()> step) {
    const HoldWatch::Hold hold{health_.watch(), "slice"};
    const Clock::time_point end = Clock::now() + slice;
    bool more = true;
    const auto well = health_.attempt(taking_over, [&] {
        while (more && (at_once() || Clock::now() < end)) {
            more = step();
        }
    });
    if (well && more) {
        soon([this, step = std::move(step)]() mutable { in_slices(std::move(step)); });
    }
}

void Background::soon(std::function<void()> task) {
    core_.post([leaving = leaving_, task = std::move(task)] {
        if (!*leaving) {
            task();
        }
    });
}

void Background::let_go(std::shared_ptr<void> last) {
    if (!at_once()) {
        elsewhere_([last = std::move(last)]() mutable { last.reset(); });
    }
}

} // namespace adjourn::server
