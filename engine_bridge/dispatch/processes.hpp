// Processes: those of one engine profile, as whoever starts and shows them sees them. They take
// questions from a dispatcher and report to it (dispatcher.hpp). The real ones are a Pool; tests
// put simulated ones in their place.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

class Dispatcher;
using ProfileId = std::size_t;

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
    bool reserved = false;                      // for somebody who looks: not one of the queue
};

class Processes {
public:
    // Called on any thread; they must not block. Each may be empty.
    struct Callbacks {
        // The status of a process changed; for searches at most five times a second.
        std::function<void(std::size_t process)> changed = {};
        // The first successful handshake; before it, each new reason why there is none for now.
        std::function<void(std::expected<Identity, std::string>)> identified = {};
        // A process that was ready for work is gone though nobody sent it away: exit status or
        // conduct, and its last words.
        std::function<void(std::size_t process, std::string reason)> died = {};
    };

    // Any thread may call these; none of them blocks.
    virtual ~Processes() = default;
    // Starts the processes. One that cannot be started, or dies, is tried again after a while, for
    // ever.
    virtual void start() = 0;
    // Closes the profile at the dispatcher, and quits all processes; `stopped` is called once, on
    // any thread, when the last is gone.
    virtual void stop(std::function<void()> stopped) = 0;
    virtual std::vector<ProcessStatus> status() const = 0;
};

using ProcessesFactory = std::function<std::unique_ptr<Processes>(
    std::shared_ptr<Dispatcher>, ProfileId, const Profile&, Processes::Callbacks)>;

} // namespace adjourn::engine_bridge
