// StatusBoard: what a pool tells the outside about its processes, at a bounded pace.
#pragma once

#include "engine_bridge/dispatch/processes.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace adjourn::engine_bridge {

class RecentDeaths {
public:
    using Time = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::minutes window{1};

    void add(Time now) {
        while (!times_.empty() && now - times_.front() >= window) {
            times_.pop_front();
        }
        times_.push_back(now);
    }
    std::size_t count(Time now) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(times_, [now](Time then) { return now - then < window; }));
    }

private:
    std::deque<Time> times_; // ascending; the growing pause keeps it short
};

class StatusBoard : public std::enable_shared_from_this<StatusBoard> {
public:
    // Five times a second for each process.
    static constexpr std::chrono::milliseconds interval{200};

    // `changed` is called on the executor, which must be serial.
    StatusBoard(const boost::asio::any_io_executor& executor, std::size_t count,
                std::function<void(std::size_t)> changed);

    // From any thread.
    std::vector<ProcessStatus> all() const; // a running search counts as busy up to now

    // On the executor only.
    bool all_in(ProcessStatus::State state) const; // but for reserved ones
    void add_reserved();                           // one more; its index is the next
    template <typename Change>
    void update(std::size_t index, Change change) {
        const std::scoped_lock lock{mutex_};
        change(statuses_[index]);
    }
    void search_began(std::size_t index, const Job& job);
    void search_over(std::size_t index, bool answered);
    void process_died(std::size_t index);
    std::size_t recent_deaths(std::size_t index) const;
    // Calls `changed` now.
    void tell(std::size_t index);
    // Calls `changed` now, or once before the interval is over.
    void tell_soon(std::size_t index);
    // `changed` is not called any more.
    void close();

private:
    struct Telling {
        bool due = false;
        std::chrono::steady_clock::time_point last{};
    };

    mutable std::mutex mutex_; // guards the next three; only the executor writes them
    std::vector<ProcessStatus> statuses_;
    std::vector<std::chrono::steady_clock::time_point> began_; // where a search runs
    std::vector<RecentDeaths> deaths_;

    std::function<void(std::size_t)> changed_;
    std::vector<Telling> telling_;
    boost::asio::steady_timer timer_;
    bool timer_set_ = false;
};

} // namespace adjourn::engine_bridge
