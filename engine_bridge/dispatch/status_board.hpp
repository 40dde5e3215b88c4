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
#include <memory>
#include <mutex>
#include <utility>
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
    using Clock = std::chrono::steady_clock;

public:
    // Five times a second for each process.
    static constexpr std::chrono::milliseconds interval{200};

    // `changed` is called on the executor, which must be serial.
    StatusBoard(const boost::asio::any_io_executor& executor, std::size_t count,
                std::function<void(std::size_t)> changed)
        : statuses_(count), began_(count), deaths_(count), changed_{std::move(changed)},
          telling_(count), timer_{executor} {}

    // From any thread. A running search counts as busy up to now.
    std::vector<ProcessStatus> all() const {
        const std::scoped_lock lock{mutex_};
        std::vector<ProcessStatus> result = statuses_;
        const auto now = Clock::now();
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (result[i].job) {
                result[i].busy += now - began_[i];
            }
            result[i].deaths_last_minute = deaths_[i].count(now);
        }
        std::erase_if(result, [](const ProcessStatus& status) { // gone
            return status.reserved && status.state == ProcessStatus::State::stopped;
        });
        return result;
    }

    // ---- on the executor only ----

    // But for reserved ones.
    bool all_in(ProcessStatus::State state) const {
        return std::ranges::all_of(statuses_, [state](const ProcessStatus& status) {
            return status.reserved || status.state == state;
        });
    }
    // One more; its index is the next.
    void add_reserved() {
        const std::scoped_lock lock{mutex_};
        statuses_.emplace_back().reserved = true;
        began_.emplace_back();
        deaths_.emplace_back();
        telling_.emplace_back();
    }
    template <typename Change>
    void update(std::size_t index, Change change) {
        const std::scoped_lock lock{mutex_};
        change(statuses_[index]);
    }
    void search_began(std::size_t index, const Job& job) {
        const std::scoped_lock lock{mutex_};
        ProcessStatus& status = statuses_[index];
        status.state = ProcessStatus::State::searching;
        status.job = job.id;
        status.position = job.position;
        status.searchmoves = job.searchmoves;
        status.line.reset();
        status.depth = 0;
        status.nodes = 0;
        status.nps = 0;
        began_[index] = Clock::now();
    }
    void search_over(std::size_t index, bool answered) {
        const std::scoped_lock lock{mutex_};
        ProcessStatus& status = statuses_[index];
        if (status.job) {
            status.busy += Clock::now() - began_[index];
        }
        status.state = ProcessStatus::State::idle;
        status.job.reset();
        status.position.reset();
        status.searchmoves.clear();
        status.line.reset();
        status.jobs_done += answered ? 1 : 0;
    }
    void process_died(std::size_t index) {
        const std::scoped_lock lock{mutex_};
        deaths_[index].add(Clock::now());
    }
    std::size_t recent_deaths(std::size_t index) const {
        const std::scoped_lock lock{mutex_};
        return deaths_[index].count(Clock::now());
    }
    // Calls `changed` now.
    void tell(std::size_t index) {
        telling_[index] = {false, Clock::now()};
        if (changed_) {
            changed_(index);
        }
    }
    // Calls `changed` now, or once before the interval is over.
    void tell_soon(std::size_t index) {
        if (!changed_) {
            return;
        }
        if (Clock::now() - telling_[index].last >= interval) {
            tell(index);
            return;
        }
        telling_[index].due = true;
        if (timer_set_) {
            return;
        }
        timer_set_ = true;
        timer_.expires_after(interval);
        timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
            const auto self = weak.lock();
            if (!self || error) {
                return;
            }
            self->timer_set_ = false;
            for (std::size_t i = 0; i < self->telling_.size(); ++i) {
                if (self->telling_[i].due) {
                    self->tell(i);
                }
            }
        });
    }
    // `changed` is not called any more.
    void close() {
        changed_ = nullptr;
        timer_.cancel();
    }

private:
    struct Telling {
        bool due = false;
        Clock::time_point last{};
    };

    mutable std::mutex mutex_; // guards the next three; only the executor writes them
    std::vector<ProcessStatus> statuses_;
    std::vector<Clock::time_point> began_; // where a search runs
    std::vector<RecentDeaths> deaths_;

    std::function<void(std::size_t)> changed_;
    std::vector<Telling> telling_;
    boost::asio::steady_timer timer_;
    bool timer_set_ = false;
};

} // namespace adjourn::engine_bridge
