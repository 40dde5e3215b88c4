// Pool: the processes of one engine profile. Takes jobs, hands each to a process, answers each
// exactly once. Dead or hung processes, and those whose answers are out of step, are replaced with
// backoff. A job without a usable answer is tried three times in all, elsewhere if there is an
// elsewhere, then fails with the last reason.
//
// Threads: the pool and its sessions live on the io_context given; submit(), status() and stop()
// may be called from any thread. Callbacks run on the io_context and must not block.
#pragma once

#include "chess/bound.hpp"
#include "chess/limit.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "engine_bridge/resource_limits.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

// How to start an engine and what to set. Comes from the config file only.
struct Profile {
    std::string name;
    std::vector<std::string> command;           // program and arguments, no shell
    std::map<std::string, std::string> options; // UCI option → value, sent verbatim
    std::size_t count = 1;                      // processes
    bool reproducible = false;                  // ucinewgame before each job
    // As options, but only where the engine has them and takes the value.
    std::map<std::string, std::string> wishes = {};
    ResourceLimits limits = {}; // of each process

    friend bool operator==(const Profile&, const Profile&) = default;
};

// Who the engine says it is; the same for all processes of a pool, or the odd one is refused.
struct Identity {
    std::string name;   // "id name"
    std::string author; // "id author"
    // Every option in force (declared default or set), without those that cannot change answers
    // (Threads = 1 kept, Hash kept; Ponder, Debug Log File, Move Overhead … left out). Sorted.
    std::map<std::string, std::string> options;
    std::string network; // value of EvalFile / WeightsFile or the like, else ""
    friend bool operator==(const Identity&, const Identity&) = default;
};

using JobId = std::uint64_t;

struct Job {
    JobId id = 0;
    chess::Position position;
    chess::Limit limit;
    std::vector<chess::Move> searchmoves; // empty = all legal moves
    std::uint64_t affinity = 0;           // equal values like the same process (warm hash); 0 = any
    bool urgent = false;                  // before everything queued
    bool watched = false;                 // its start and first line are told by `changed` at once
    std::uint64_t game = 0; // a process that had another one before hears ucinewgame first
};

// The best line that a search has told so far: one info line for the first PV, the last exact one,
// else the last bound. Mover's side.
struct BestLine {
    std::optional<chess::Score> score; // nullopt: a bestmove without any score
    chess::Bound bound = chess::Bound::exact;
    int depth = 0;
    int seldepth = 0;
    std::vector<chess::Move> pv; // not empty; all legal, cut at the first move that is not
};

// What a search found. move, score and pv are from one info line: the last exact line for the first
// PV. All moves legal in the job's position; pv cut at the first
// illegal move.
struct Answer {
    chess::Move move;
    std::optional<chess::Score> score; // a pool's answers always have an exact one
    chess::Bound bound = chess::Bound::exact;
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::uint32_t time_ms = 0; // wall clock from go to bestmove as we measured it
    std::vector<chess::Move> pv;
    std::size_t process = 0;
    // Where the engine's bestmove is not `move`: it, with the last bound. The search ended before
    // it had an exact score of the move that it had just preferred.
    std::optional<BestLine> changed = std::nullopt;
};

struct Failure {
    enum class Kind : std::uint8_t {
        crashed,   // the process died on it
        hung,      // no bestmove within the deadline
        no_result, // no move, an illegal one, no exact score, or answers out of step
        ignored_searchmoves,
        unfit,       // a question that the engine cannot be asked
        unavailable, // no process can be started (missing binary, handshake failed for good)
        cancelled,   // by cancel() or stop()
    };
    Kind kind;
    // For people: names the engine, the exit status or signal, the last lines of its stderr.
    std::string reason;
    int attempts = 0; // that were made; 0 if the job never reached an engine
    // Of a search that was stopped because it was cancelled: what it had found by then.
    std::optional<BestLine> found = {};
};

using Result = std::expected<Answer, Failure>;

struct ProcessStatus {
    enum class State : std::uint8_t { starting, idle, searching, restarting, failed, stopped };
    State state = State::starting;
    int pid = 0;
    std::optional<JobId> job;
    std::optional<chess::Position> position; // being searched
    std::vector<chess::Move> searchmoves;    // of that search; empty = all legal moves
    std::optional<BestLine> line;            // of that search, live; nullopt: it told none yet
    int depth = 0;                           // of the running search, live
    std::uint64_t nodes = 0;                 // live
    std::uint64_t nps = 0;
    std::size_t restarts = 0;
    std::size_t deaths_last_minute = 0; // by itself or killed for its conduct
    std::uint64_t jobs_done = 0;
    std::chrono::steady_clock::duration busy{}; // searching, total, the running search included
    std::string problem;                        // last failure, for people
    std::string machine = {};                   // where it runs; "" = here
};

struct Timeouts {                            // each an absolute deadline for its verb
    std::chrono::milliseconds start{30'000}; // from uci to uciok
    std::chrono::milliseconds ready{60'000}; // isready after options or ucinewgame
    std::chrono::milliseconds stop{5'000};   // from stop to bestmove
    std::chrono::milliseconds quit{1'500};   // each step of the quit ladder: 4.5 s at most
    // Beyond movetime, before the search is stopped.
    std::chrono::milliseconds movetime_grace{5'000};
    // After a doubtful answer a late line is waited for as long as a search usually takes, and so
    // much longer.
    std::chrono::milliseconds clearing{50};
    // Depth and nodes limits: without progress for so long the engine is asked isready. One that
    // does not answer, or only answers for seven such periods, is hung.
    std::chrono::milliseconds silence{600'000};
    // Doubled per consecutive failure, and per death in the last minute, answers or not.
    std::chrono::milliseconds backoff_first{200};
    std::chrono::milliseconds backoff_most{60'000};
};

class Pool {
public:
    struct Callbacks {
        // Exactly once per job.
        std::function<void(JobId, Result)> done;
        // The status of a process changed; for searches at most five times a second. May be empty.
        std::function<void(std::size_t process)> changed;
        // The first successful handshake; before it, each new reason why there is none for now. May
        // be empty.
        std::function<void(std::expected<Identity, std::string>)> identified;
        // A process that was ready for work is gone though nobody sent it away: exit status or
        // conduct, and its last words. May be empty.
        std::function<void(std::size_t process, std::string reason)> died = {};
    };

    // REQUIRES: profile.count > 0, callbacks.done.
    Pool(boost::asio::io_context& context, Profile profile, Timeouts timeouts, Callbacks callbacks);
    // Kills what is left, at once. No callback is called any more. REQUIRES: no other thread runs
    // the io_context, unless stop() has completed; the io_context still exists.
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Starts the processes. One that cannot be started, or dies, is tried again after a while, for
    // ever. As long as that fails for all of them, jobs are answered as unavailable.
    void start();
    // REQUIRES: the id is not that of a job that is waiting or running.
    void submit(Job job);
    // A job that has not started is dropped, one that has is stopped. Both answer as cancelled.
    void cancel(JobId job);
    // A job that has not started goes before all that are not urgent. Any thread; returns at once.
    void hurry(JobId job);
    // Answers all jobs as cancelled, quits all processes by the ladder; `stopped` is called once
    // when the last is reaped.
    void stop(std::function<void()> stopped);

    std::vector<ProcessStatus> status() const;
    // Jobs that keep every living process fed: two per process, minus those queued or running.
    std::size_t room() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

} // namespace adjourn::engine_bridge
