#include "engine_bridge/dispatch/status_board.hpp"

#include <algorithm>

namespace adjourn::engine_bridge {

using Clock = std::chrono::steady_clock;

StatusBoard::StatusBoard(const boost::asio::any_io_executor& executor, std::size_t count,
                         std::function<void(std::size_t)> changed)
    : statuses_(count), began_(count), deaths_(count), changed_{std::move(changed)},
      telling_(count), timer_{executor} {}

std::vector<ProcessStatus> StatusBoard::all() const {
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

void StatusBoard::search_began(std::size_t index, const Job& job) {
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

void StatusBoard::search_over(std::size_t index, bool answered) {
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

void StatusBoard::process_died(std::size_t index) {
    const std::scoped_lock lock{mutex_};
    deaths_[index].add(Clock::now());
}

std::size_t StatusBoard::recent_deaths(std::size_t index) const {
    const std::scoped_lock lock{mutex_};
    return deaths_[index].count(Clock::now());
}

bool StatusBoard::all_in(ProcessStatus::State state) const {
    return std::ranges::all_of(statuses_, [state](const ProcessStatus& status) {
        return status.reserved || status.state == state;
    });
}

void StatusBoard::add_reserved() {
    const std::scoped_lock lock{mutex_};
    statuses_.emplace_back().reserved = true;
    began_.emplace_back();
    deaths_.emplace_back();
    telling_.emplace_back();
}

void StatusBoard::tell(std::size_t index) {
    telling_[index] = {false, Clock::now()};
    if (changed_) {
        changed_(index);
    }
}

void StatusBoard::tell_soon(std::size_t index) {
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

void StatusBoard::close() {
    changed_ = nullptr;
    timer_.cancel();
}

} // namespace adjourn::engine_bridge
