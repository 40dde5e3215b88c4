// Pool::Impl, how work ends that nobody wants any more: a job, all jobs, the processes.
#include "pool_impl.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace adjourn::engine_bridge {

Failure Pool::Impl::cancelled() {
    return {Failure::Kind::cancelled, "the search was cancelled", 0};
}

void Pool::Impl::close() {
    {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        for (const std::shared_ptr<Child>& child : children_) {
            if (child) {
                child->kill();
            }
        }
    }
    boost::asio::post(strand, [self = shared_from_this()] { self->clear(); });
}

void Pool::Impl::clear() {
    stopping_ = true;
    board_->close();
    for (const auto& slot : slots_) {
        slot->backoff.cancel();
        if (slot->worker) {
            slot->worker->detach();
            slot->worker.reset();
        }
    }
    queue_.take_all();
    guard_.reset();
}

void Pool::Impl::cancel(JobId id) {
    if (const std::optional<QueuedJob> waiting = queue_.remove(id)) {
        answer(*waiting, std::unexpected(cancelled()));
        return;
    }
    for (const auto& slot : slots_) {
        if (slot->job && slot->job->job.id == id) {
            slot->job_cancelled = true;
            slot->worker->cancel();
            return;
        }
    }
}

void Pool::Impl::stop(std::function<void()> stopped) {
    when_stopped_.push_back(std::move(stopped));
    if (stopping_) {
        finish_stop_if_done();
        return;
    }
    stopping_ = true;
    std::vector<QueuedJob> jobs = queue_.take_all();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = *slots_[i];
        slot.backoff.cancel();
        slot.ready = false;
        if (slot.job) {
            jobs.push_back(std::move(*slot.job));
            slot.job.reset();
            board_->search_over(i, false);
        }
        if (slot.worker) {
            slot.worker->quit();
        } else {
            board_->update(i, [](ProcessStatus& status) { status.state = State::stopped; });
            board_->tell(i);
        }
    }
    for (const QueuedJob& job : jobs) {
        answer(job, std::unexpected(cancelled()));
    }
    finish_stop_if_done();
}

void Pool::Impl::finish_stop_if_done() {
    const bool done = std::ranges::all_of(slots_, [](const auto& slot) { return !slot->worker; });
    if (!done) {
        return;
    }
    guard_.reset();
    for (const std::function<void()>& stopped : std::exchange(when_stopped_, {})) {
        if (stopped) {
            stopped();
        }
    }
}

} // namespace adjourn::engine_bridge
