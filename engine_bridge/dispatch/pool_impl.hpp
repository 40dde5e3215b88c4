// Pool::Impl: the pool on its strand.
#pragma once

#include "engine_bridge/dispatch/pool.hpp"
#include "engine_bridge/dispatch/status_board.hpp"
#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/process.hpp"
#include "engine_bridge/process/session.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

// Threads: everything is called from, and calls back on, one serial executor.
class Worker : public std::enable_shared_from_this<Worker> {
public:
    struct Events {
        std::function<void(const Identity&)> identified; // the handshake is complete
        std::function<void(Result)> ended; // the search is over, search() may be called
        std::function<void()> progress;    // progress() has changed
        // Last call of all: the process is reaped. Never during start(). With the answer to the
        // search, if it was in the last words.
        std::function<void(const Session::Lost&, std::optional<Result>)> gone;
    };

    Worker(const boost::asio::any_io_executor& executor, const Profile& profile,
           const Timeouts& timeouts, Events events);

    std::expected<void, SpawnError> start(const Profile& profile, ProcessGuard& guard);
    // REQUIRES: identified, and no search running. Its end is never told from within the call.
    void search(Search search);
    void cancel();
    // Gets rid of the process by the ladder. From now on only `gone` is called.
    void quit();
    void kill(Session::Lost why);
    // No event is called any more, and the loop is free of it. Does not kill.
    void detach();

    Progress progress() const { return session_.progress(); }
    std::optional<BestLine> best_line() const { return session_.best_line(); }
    const std::shared_ptr<Child>& child() const { return process_->child(); }

private:
    void on_output(const LineBuffer::Lines& lines);
    void on_exit(ExitStatus status);
    void on_timer();
    void step_ladder(QuitLadder::Time now);
    void settle(); // sends what the session has to say, tells what it reports, sets the timer
    void set_timer();

    boost::asio::any_io_executor executor_;
    Events events_;
    Session session_;
    boost::asio::steady_timer timer_;
    std::optional<QuitLadder::Time> timer_set_;
    QuitLadder ladder_;
    bool identified_ = false;
    std::optional<Session::Lost> lost_;
    std::shared_ptr<Process> process_;
};

struct Pool::Impl : std::enable_shared_from_this<Pool::Impl> {
    Impl(boost::asio::io_context& context, std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
         Profile profile, Timeouts timeouts, Callbacks callbacks);

    // From any thread.
    std::vector<ProcessStatus> status() const { return board_->all(); }
    void close_profile() { dispatcher_->close(id_); }
    // Kills and reaps every process; no callback is called any more. Blocks briefly.
    void close();

    void enter(); // takes places at the dispatcher; once, before anything else

    // From here on: on the strand only.
    void start();
    void stop(std::function<void()> stopped);

    boost::asio::strand<boost::asio::io_context::executor_type> strand;

private:
    using State = ProcessStatus::State;

    // A process and its place.
    struct Slot {
        explicit Slot(const boost::asio::any_io_executor& executor) : backoff{executor} {}

        PlaceId place = 0;
        bool reserved = false;
        std::size_t threads = 0; // 0: as the profile says
        std::shared_ptr<Worker> worker;
        boost::asio::steady_timer backoff;
        bool ready = false; // handshake complete and accepted
        std::optional<Dispatcher::Lease> lease;
        int failures = 0; // since the last finished search
    };

    void launch(std::size_t index);
    void on_identified(std::size_t index, const Identity& identity);
    void on_ended(std::size_t index, Result result);
    void on_progress(std::size_t index);
    void on_gone(std::size_t index, const Session::Lost& lost, std::optional<Result> last_words);

    std::optional<std::size_t> slot_at(PlaceId place) const;
    void open_reserved(PlaceId place, std::size_t threads);
    void close_reserved(PlaceId place);
    void look(PlaceId place); // what the dispatcher has for it
    void feed(std::size_t index);
    void offer(std::size_t index, std::size_t most, bool comes_back = false,
               std::string problem = {});
    void answer(std::size_t index, Result result);
    // Shuts the place for a while and sets it going again.
    void retry_later(std::size_t index, State state, const std::string& problem);
    void tell_if_unavailable();
    void quit(std::size_t index);
    void finish_stop_if_done();
    void clear();
    bool closed() const;
    template <typename Task>
    auto later(Task task); // on the strand, as long as the pool is there

    const std::shared_ptr<Dispatcher> dispatcher_;
    const ProfileId id_;
    const Profile profile_;
    const Timeouts timeouts_;
    const Callbacks callbacks_;
    const std::shared_ptr<StatusBoard> board_;
    std::optional<ProcessGuard> guard_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::optional<Identity> identity_;
    std::string told_problem_;            // by `identified`
    std::set<std::string> told_counters_; // that this engine cannot tell
    bool stopping_ = false;
    std::vector<std::function<void()>> when_stopped_;

    mutable std::mutex mutex_; // guards what close() needs, from any thread
    std::vector<std::shared_ptr<Child>> children_;
    bool closed_ = false;
};

} // namespace adjourn::engine_bridge
