// Thinking: one "go", from its first moment to its "bestmove".
#pragma once

#include "search/engine/output.hpp"
#include "search/engine/settings.hpp"

#include "chess/uci/allotment.hpp"
#include "chess/uci/command.hpp"
#include "chess/uci/report.hpp"
#include "search/search.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

namespace adjourn::engine {

class Thinking {
public:
    using Clock = std::chrono::steady_clock;

    // `start`: when "go" was read.
    Thinking(chess::uci::Game game, chess::uci::Go go, Settings settings, Output& out,
             Clock::time_point start);

    // Searches, and says so: what it finds, and the move. Once, on a thread of its own. Throws only
    // what out of memory throws, before "bestmove".
    void run(search::Search& search);
    // In place of run(), where there is no search: the first legal move.
    void give_up(const std::string& reason);

    // From any thread; neither waits.
    void stop();
    void ponderhit();
    // Whether it has a limit, or was stopped: nobody has to say another word.
    bool ends_by_itself() const;

private:
    search::Query query() const;
    std::vector<chess::Move> allowed_moves() const;
    std::chrono::milliseconds since(Clock::time_point start) const;
    void hear(const search::Info& info, const search::Search& search);
    bool over(const search::Search& search);
    bool enough_of(const search::Info& info);
    void wait_to_answer();
    void say(const std::string& text) { out_.say(chess::uci::info_string(text)); }

    const chess::uci::Game game_;
    const chess::uci::Go go_;
    const Settings settings_;
    Output& out_;
    const Clock::time_point start_;
    std::optional<chess::uci::Allotment> allotment_;
    bool clocked_ = false; // the allotment is of a clock, so that what it leaves is saved

    // Of the thread that searches.
    std::vector<chess::Move> moves_; // that may be played
    std::optional<chess::Move> best_;
    Clock::time_point stable_since_;
    Clock::time_point told_;
    bool enough_ = false;

    std::atomic<bool> stopped_{false};
    std::atomic<bool> holding_; // the move is not wanted yet, whatever the clock shows
    std::atomic<Clock::time_point> clock_start_;
    std::mutex mutex_; // for the condition: that one of the two above has changed
    std::condition_variable changed_;
};

} // namespace adjourn::engine
