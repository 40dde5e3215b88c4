// Pool::Impl: the pool on its strand.
#pragma once

#include "engine_bridge/job_queue.hpp"
#include "engine_bridge/pool.hpp"
#include "engine_bridge/process_guard.hpp"
#include "status_board.hpp"
#include "worker.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

struct Pool::Impl : std::enable_shared_from_this<Pool::Impl> {
    Impl(boost::asio::io_context& context, Profile profile, Timeouts timeouts, Callbacks callbacks);

    // From any thread.
    void submit(Job job);
    std::vector<ProcessStatus> status() const { return board_->all(); }
    std::size_t room() const { return board_->room(); }
    // Kills and reaps every process; no callback is called any more. Blocks briefly.
    void close();

    // From here on: on the strand only.
    void start();
    void cancel(JobId id);
    void hurry(JobId id) { queue_.hurry(id); }
    void stop(std::function<void()> stopped);

    boost::asio::strand<boost::asio::io_context::executor_type> strand;

private:
    using State = ProcessStatus::State;

    // One of the profile's `count` places for a process.
    struct Slot {
        explicit Slot(const boost::asio::any_io_executor& executor) : backoff{executor} {}

        std::shared_ptr<Worker> worker;
        boost::asio::steady_timer backoff;
        bool ready = false; // handshake complete and accepted
        std::optional<QueuedJob> job;
        bool job_cancelled = false;
        int failures = 0; // since the last finished job
    };

    void launch(std::size_t index);
    void on_identified(std::size_t index, const Identity& identity);
    void on_ended(std::size_t index, Result result);
    void on_progress(std::size_t index);
    void on_gone(std::size_t index, const Session::Lost& lost, std::optional<Result> last_words);

    void accept(Job job);
    void feed(std::size_t index);
    void feed_all();
    void answer(const QueuedJob& job, Result result);
    // Whether the job, whose attempt ended so, is tried again.
    bool tried_again(const QueuedJob& job, const Result& result) const;
    void answer_lost_job(std::size_t index, const Session::Lost& lost,
                         std::optional<Result> last_words);
    // Shuts the place for a while and sets it going again.
    void retry_later(std::size_t index, State state, const std::string& problem);
    // Where nothing can be started, waiting jobs fail, and not by their own fault.
    void fail_if_unavailable();
    void finish_stop_if_done();
    void clear();
    bool closed() const;
    static Failure cancelled();

    const Profile profile_;
    const Timeouts timeouts_;
    const Callbacks callbacks_;
    const std::shared_ptr<StatusBoard> board_;
    std::optional<ProcessGuard> guard_;
    JobQueue queue_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::optional<Identity> identity_;
    std::string told_problem_; // by `identified`
    bool stopping_ = false;
    std::vector<std::function<void()>> when_stopped_;

    mutable std::mutex mutex_; // guards what close() needs, from any thread
    std::vector<std::shared_ptr<Child>> children_;
    bool closed_ = false;
};

} // namespace adjourn::engine_bridge
