// Background: what would hold the core's thread too long. It is read on another thread, or done on
// this one in slices of a few milliseconds. Made and used on the core's thread.
#pragma once

#include "base/task_scope.hpp"
#include "core/guards/health.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::server {

class Background {
public:
    // Runs a task on a thread of its own, one after the other, in this order. Empty: everything is
    // done at once, on the core's thread.
    using Elsewhere = std::function<void(std::function<void()>)>;

    Background(base::TaskScope::Poster core, Health& health, Elsewhere elsewhere)
        : core_{std::move(core)}, health_{health}, elsewhere_{std::move(elsewhere)} {}
    ~Background() { stop(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    bool at_once() const { return !elsewhere_; }
    using Read = std::function<std::function<void()>()>;
    using Failed = std::function<void(const std::string&)>;
    // `read` runs elsewhere and returns what is then to be done here; it must not touch what is
    // this thread's. If it throws, `failed` is told why, here. What fails because the store does
    // waits for again(), and runs then from its beginning; `failed` is told if that happens
    // `most_failures` times.
    void read(Read read, Failed failed);
    // The store works again.
    void again();
    static constexpr int most_failures = 5;
    // Calls `step` until it returns false, a few milliseconds at a time; others have their turn
    // between.
    void in_slices(std::function<bool()> step);
    // Once what was posted to this thread before is done.
    void soon(std::function<void()> task);
    // To free what is large takes long.
    void let_go(std::shared_ptr<void> last);

    // From now on nothing more is taken over; true of `leaving` for whoever reads.
    void stop() { *leaving_ = true; }
    std::shared_ptr<const std::atomic<bool>> leaving() const { return leaving_; }

private:
    struct PutOff {
        Read read;
        Failed failed;
        int failures = 0; // so far
    };
    void begin(PutOff what);

    base::TaskScope::Poster core_;
    Health& health_;
    Elsewhere elsewhere_;
    std::vector<PutOff> put_off_; // until the store works
    std::shared_ptr<std::atomic<bool>> leaving_ = std::make_shared<std::atomic<bool>>(false);
};

} // namespace adjourn::server
