#include "pool_impl.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace adjourn::engine_bridge {
namespace {

constexpr int most_attempts = 3;

// A search that failed may succeed elsewhere or the next time; a question that nobody can be asked
// will not.
bool worth_another_try(Failure::Kind kind) {
    using enum Failure::Kind;
    return kind == crashed || kind == hung || kind == no_result || kind == ignored_searchmoves;
}

} // namespace

Pool::Impl::Impl(boost::asio::io_context& context, Profile profile, Timeouts timeouts,
                 Callbacks callbacks)
    : strand{boost::asio::make_strand(context)}, profile_{std::move(profile)}, timeouts_{timeouts},
      callbacks_{std::move(callbacks)}, board_{std::make_shared<StatusBoard>(strand, profile_.count,
                                                                             callbacks_.changed)} {
    assert(profile_.count > 0);
    assert(callbacks_.done);
    for (std::size_t i = 0; i < profile_.count; ++i) {
        slots_.push_back(std::make_unique<Slot>(strand));
    }
    children_.resize(profile_.count);
}

void Pool::Impl::submit(Job job) {
    board_->job_submitted();
    boost::asio::post(strand, [self = shared_from_this(), job = std::move(job)]() mutable {
        self->accept(std::move(job));
    });
}

void Pool::Impl::start() {
    if (guard_ || stopping_) {
        return;
    }
    guard_.emplace();
    for (std::size_t i = 0; i < slots_.size() && !stopping_; ++i) {
        launch(i);
    }
}

void Pool::Impl::launch(std::size_t index) {
    Slot& slot = *slots_[index];
    const std::weak_ptr<Impl> weak = weak_from_this();
    const auto when_alive = [weak](auto action) {
        return [weak, action](auto&&... arguments) {
            if (const auto self = weak.lock()) {
                action(*self, std::forward<decltype(arguments)>(arguments)...);
            }
        };
    };
    slot.worker = std::make_shared<Worker>(
        strand, profile_, timeouts_,
        Worker::Events{.identified = when_alive([index](Impl& self, const Identity& identity) {
                           self.on_identified(index, identity);
                       }),
                       .ended = when_alive([index](Impl& self, Result result) {
                           self.on_ended(index, std::move(result));
                       }),
                       .progress = when_alive([index](Impl& self) { self.on_progress(index); }),
                       .gone = when_alive([index](Impl& self, const Session::Lost& lost,
                                                  std::optional<Result> last_words) {
                           self.on_gone(index, lost, std::move(last_words));
                       })});
    if (const auto started = slot.worker->start(profile_, *guard_); !started) {
        slot.worker.reset();
        retry_later(index, State::failed, profile_.name + ": " + started.error().message);
        fail_if_unavailable();
        return;
    }
    {
        const std::scoped_lock lock{mutex_};
        children_[index] = slot.worker->child();
        if (closed_) {
            slot.worker->child()->kill();
        }
    }
    board_->update(index, [&](ProcessStatus& status) {
        status.state = State::starting;
        status.pid = slot.worker->child()->pid();
    });
    board_->tell(index);
}

void Pool::Impl::on_identified(std::size_t index, const Identity& identity) {
    Slot& slot = *slots_[index];
    if (identity_ && *identity_ != identity) {
        slot.worker->kill({Failure::Kind::unavailable,
                           profile_.name + ": the program has changed since the start (it was " +
                               identity_->name + ", now " + identity.name +
                               " or other options); restart the server to use it"});
        return;
    }
    slot.ready = true;
    board_->update(index, [](ProcessStatus& status) { status.state = State::idle; });
    if (!identity_) {
        identity_ = identity;
        if (callbacks_.identified && !closed()) {
            callbacks_.identified(identity);
        }
    }
    board_->tell(index);
    feed(index);
}

void Pool::Impl::retry_later(std::size_t index, State state, const std::string& problem) {
    Slot& slot = *slots_[index];
    constexpr int most_doublings = 30;
    // An engine that answers between its deaths must not come back ever so fast.
    const int doublings =
        std::max(slot.failures, static_cast<int>(board_->recent_deaths(index)) - 1);
    const auto delay = std::min<std::chrono::milliseconds>(
        timeouts_.backoff_first * (1LL << std::clamp(doublings, 0, most_doublings)),
        timeouts_.backoff_most);
    ++slot.failures;
    board_->update(index, [&](ProcessStatus& status) {
        status.state = state;
        status.pid = 0;
        status.problem = problem;
    });
    board_->tell(index);
    slot.backoff.expires_after(delay);
    slot.backoff.async_wait(
        [weak = weak_from_this(), index](const boost::system::error_code& error) {
            const auto self = weak.lock();
            if (self && !error && !self->stopping_) {
                self->board_->update(index, [](ProcessStatus& status) { ++status.restarts; });
                self->launch(index);
            }
        });
}

void Pool::Impl::fail_if_unavailable() {
    if (stopping_ || !board_->all_in(State::failed)) {
        return;
    }
    const std::string reason = board_->all().front().problem;
    if (!identity_ && callbacks_.identified && told_problem_ != reason && !closed()) {
        told_problem_ = reason;
        callbacks_.identified(std::unexpected(reason));
    }
    for (const QueuedJob& waiting : queue_.take_all()) {
        answer(waiting, std::unexpected(Failure{Failure::Kind::unavailable, reason, 0}));
    }
}

void Pool::Impl::accept(Job job) {
    if (stopping_) {
        answer({std::move(job), 0, std::nullopt}, std::unexpected(cancelled()));
        return;
    }
    const std::optional<std::size_t> server = queue_.server_of(job.affinity);
    queue_.push(std::move(job));
    if (server) {
        feed(*server);
    }
    feed_all();
    fail_if_unavailable();
}

void Pool::Impl::feed_all() {
    for (std::size_t i = 0; i < slots_.size() && !queue_.empty(); ++i) {
        feed(i);
    }
}

void Pool::Impl::feed(std::size_t index) {
    Slot& slot = *slots_[index];
    if (!slot.ready || slot.job || stopping_) {
        return;
    }
    const bool alone = std::ranges::none_of(
        slots_, [&](const auto& other) { return other.get() != &slot && other->ready; });
    slot.job = queue_.take(index, alone);
    if (!slot.job) {
        return;
    }
    slot.job_cancelled = false;
    const Job& job = slot.job->job;
    board_->search_began(index, job);
    const bool watched = job.watched;
    slot.worker->search({job.position, job.limit, job.searchmoves, job.game});
    watched ? board_->tell(index) : board_->tell_soon(index);
}

void Pool::Impl::on_ended(std::size_t index, Result result) {
    Slot& slot = *slots_[index];
    if (!slot.job) {
        return; // answered when the pool was stopped
    }
    QueuedJob job = std::move(*slot.job);
    slot.job.reset();
    ++job.attempts;
    slot.failures = 0;
    board_->search_over(index, true);
    if (slot.job_cancelled) { // it may have been answered in the same moment
        Failure failure = cancelled();
        failure.found = result ? std::optional{BestLine{result->score, result->bound, result->depth,
                                                        result->seldepth, std::move(result->pv)}}
                               : std::move(result.error().found);
        result = std::unexpected(std::move(failure));
    }
    if (result) {
        result->process = index;
    }
    job.avoid = index;
    if (tried_again(job, result)) {
        queue_.push_retry(std::move(job));
        feed_all();
        feed(index);
        board_->tell_soon(index);
        return;
    }
    feed(index); // before anybody is told, so that the engine does not wait
    board_->tell_soon(index);
    answer(job, std::move(result));
}

bool Pool::Impl::tried_again(const QueuedJob& job, const Result& result) const {
    return !stopping_ && !result && worth_another_try(result.error().kind) &&
           job.attempts < most_attempts;
}

void Pool::Impl::answer(const QueuedJob& job, Result result) {
    if (!result) {
        result.error().attempts = std::max(result.error().attempts, job.attempts);
    }
    board_->job_answered();
    if (!closed()) {
        callbacks_.done(job.job.id, std::move(result));
    }
}

void Pool::Impl::on_progress(std::size_t index) {
    const Slot& slot = *slots_[index];
    if (!slot.job) {
        return;
    }
    const Progress progress = slot.worker->progress();
    std::optional<BestLine> line = slot.worker->best_line();
    bool changed = false;
    bool first_line = false;
    board_->update(index, [&](ProcessStatus& status) {
        changed = status.depth != progress.depth || status.nodes != progress.nodes;
        first_line = line && !status.line;
        status.line = std::move(line);
        status.depth = progress.depth;
        status.nodes = progress.nodes;
        status.nps = progress.nps;
    });
    if (first_line && slot.job->job.watched) {
        board_->tell(index);
    } else if (changed) {
        board_->tell_soon(index);
    }
}

void Pool::Impl::on_gone(std::size_t index, const Session::Lost& lost,
                         std::optional<Result> last_words) {
    Slot& slot = *slots_[index];
    const bool was_ready = slot.ready;
    slot.ready = false;
    slot.worker.reset();
    queue_.forget(index);
    {
        const std::scoped_lock lock{mutex_};
        children_[index].reset();
    }
    if (slot.job) {
        answer_lost_job(index, lost, std::move(last_words));
    }
    if (stopping_) {
        board_->update(index, [](ProcessStatus& status) {
            status.state = State::stopped;
            status.pid = 0;
        });
        board_->tell(index);
        finish_stop_if_done();
        return;
    }
    if (was_ready) {
        board_->process_died(index);
        if (callbacks_.died && !closed()) {
            callbacks_.died(index, lost.reason);
        }
    }
    retry_later(index, was_ready ? State::restarting : State::failed, lost.reason);
    feed_all();
    fail_if_unavailable();
}

void Pool::Impl::answer_lost_job(std::size_t index, const Session::Lost& lost,
                                 std::optional<Result> last_words) {
    Slot& slot = *slots_[index];
    QueuedJob job = std::move(*slot.job);
    slot.job.reset();
    board_->search_over(index, last_words.has_value());
    ++job.attempts;
    Result result =
        last_words
            ? std::move(*last_words)
            : std::unexpected(Failure{lost.kind,
                                      lost.reason + "; while searching " + job.job.position.fen(),
                                      job.attempts});
    if (slot.job_cancelled) {
        result = std::unexpected(cancelled());
    }
    if (result) {
        result->process = index;
    }
    if (tried_again(job, result)) {
        queue_.push_retry(std::move(job));
    } else {
        answer(job, std::move(result));
    }
}

bool Pool::Impl::closed() const {
    const std::scoped_lock lock{mutex_};
    return closed_;
}

} // namespace adjourn::engine_bridge
