// BodyBudget: how many bytes all request bodies together may hold, from their first byte until
// their request is answered. Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>

namespace adjourn::http {

class BodyBudget {
public:
    // Of each body, the first `free` bytes do not count: ordinary calls always find room. `stall`:
    // a body whose client sent nothing for that long gives way to one that comes.
    BodyBudget(std::size_t total, std::size_t free, std::chrono::milliseconds stall)
        : total_{total}, free_{free}, stall_{stall} {}

    // One body's part, given back at its end. One thread at a time.
    class Lease {
    public:
        // `end` is called when this body gives way, on any thread, and must only post: its
        // connection is to be closed.
        Lease(BodyBudget& budget, std::function<void()> end);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        // The body holds so many bytes now, which its client has just made more; false if there is
        // no room.
        bool grow_to(std::size_t bytes);
        // All of it is here: from now on it is not the client who makes others wait.
        void complete();

    private:
        friend class BodyBudget;
        BodyBudget& budget_;
        std::function<void()> end_;
        std::size_t counted_ = 0;
        bool gave_way_ = false;
        bool growing_ = true;
        std::chrono::steady_clock::time_point progress_; // the last one
        std::list<Lease*>::iterator place_;
    };

private:
    bool make_room(std::size_t bytes, const Lease& for_whom);

    const std::size_t total_;
    const std::size_t free_;
    const std::chrono::milliseconds stall_;
    std::mutex mutex_; // guards all below, and what leases hold
    std::size_t used_ = 0;
    std::list<Lease*> leases_;
};

} // namespace adjourn::http
