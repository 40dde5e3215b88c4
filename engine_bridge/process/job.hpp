// Job: one question to an engine, and what comes of it.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

using JobId = std::uint64_t;

struct Job {
    JobId id = 0;
    chess::Position position;
    chess::Limit limit;
    std::vector<chess::Move> searchmoves; // empty = all legal moves
    std::uint64_t affinity = 0;           // equal values like the same process (warm hash); 0 = any
    bool urgent = false;                  // before everything that waits
    bool watched = false;                 // its start and first line are told by `changed` at once
    std::uint64_t game = 0; // a process that had another one before hears ucinewgame first
    bool here = false;      // only by processes of this machine
    std::optional<std::size_t> place = std::nullopt; // only there: Dispatcher::reserve()
    int priority = 0; // before those of lower priority that wait, if neither is urgent
};

// The best line that a search has told so far: one info line for the first PV, the last exact one,
// else the last bound. Mover's side.
struct BestLine {
    std::optional<chess::Score> score; // nullopt: a bestmove without any score
    chess::Bound bound = chess::Bound::exact;
    int depth = 0;
    int seldepth = 0;
    std::vector<chess::Move> pv; // not empty; all legal, cut at the first move that is not
    std::optional<chess::WinDrawLoss> wdl = std::nullopt; // where the engine tells it
};

// What a search found. move, score and pv are from one info line: the last exact line for the first
// PV. All moves legal in the job's position; pv cut at the first illegal move.
struct Answer {
    chess::Move move;
    std::optional<chess::Score> score; // a session's answers always have an exact one
    chess::Bound bound = chess::Bound::exact;
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;   // the most that was told and can be; 0: none was
    std::uint32_t time_ms = 0; // wall clock from go to bestmove as we measured it
    std::vector<chess::Move> pv;
    std::size_t process = 0;
    // Where the engine's bestmove is not `move`: it, with the last bound. The search ended before
    // it had an exact score of the move that it had just preferred.
    std::optional<BestLine> changed = std::nullopt;
    std::optional<chess::WinDrawLoss> wdl = std::nullopt; // of the same line; mover's side
    std::string machine = {};                             // where it was searched; "" = here
    std::string set_aside = {}; // a counter that cannot be, as the engine said it; "" = none
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
    int attempts = 0; // searches that were made; 0 if the job never reached an engine
    // Of a search that was stopped because it was cancelled: what it had found by then.
    std::optional<BestLine> found = {};
};

using Result = std::expected<Answer, Failure>;

} // namespace adjourn::engine_bridge
