// ProcessGuard: a helper process that kills our engines if we die without a chance to (kill -9, out
// of memory). Most engines leave when their stdin ends; some (GNU Chess) never do.
#pragma once

#include "engine_bridge/process/child.hpp"

#include <memory>

namespace adjourn::engine_bridge {

// Threads: not thread-safe; never blocks but for the start and the end.
class ProcessGuard {
public:
    // A guard that cannot be started leaves the engines unguarded, which is no error.
    ProcessGuard();
    ~ProcessGuard();
    ProcessGuard(const ProcessGuard&) = delete;
    ProcessGuard& operator=(const ProcessGuard&) = delete;

    // From now on the group is killed when we die.
    void add(int group);
    // REQUIRES: the group's leader is not yet reaped, so that its number is still its own.
    void remove(int group);

private:
    void tell(char verb, int group);

    std::shared_ptr<Child> child_;
    UniqueFd input_;
};

} // namespace adjourn::engine_bridge
