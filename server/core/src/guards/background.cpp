#include "core/guards/background.hpp"

#include <chrono>
#include <utility>

namespace adjourn::server {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds slice{3};
constexpr const char* taking_over = "taking over what was read";

} // namespace

void Background::read(Read read, Failed failed) {
    begin({std::move(read), std::move(failed)});
}

void Background::again() {
    for (PutOff& what : std::exchange(put_off_, {})) {
        begin(std::move(what));
    }
}

void Background::begin(PutOff what) {
    const auto work = [this, what = std::move(what)] {
        std::function<void()> then;
        Read once = what.read; // may use up what it holds
        const auto trouble = guarded("reading the store", [&] { then = once(); });
        if (!trouble) {
            return then;
        }
        return std::function<void()>{[this, what, trouble = *trouble]() mutable {
            if (trouble.kind != Trouble::Kind::store || at_once() ||
                ++what.failures == most_failures) {
                what.failed(trouble.what);
                return;
            }
            health_.take(trouble);
            put_off_.push_back(std::move(what));
        }};
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
