// Worker: one life of one engine process: a Process, the Session that talks to it, and their timer.
#pragma once

#include "engine_bridge/process/process.hpp"
#include "engine_bridge/process/quit_ladder.hpp"
#include "engine_bridge/process/session.hpp"

#include <boost/asio/steady_timer.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <optional>

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

} // namespace adjourn::engine_bridge
