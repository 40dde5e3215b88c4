// Look: a position that somebody looks at, and what is found there meanwhile. A record of state,
// changed by Looks only.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

enum class LookId : std::int64_t {}; // 0 is never one

// What somebody wants to look at, and how.
struct LookWish {
    std::vector<chess::Move> line; // from the root of the analysis
    std::size_t lines = 1;         // best moves, each with its line of play
    // Processes of its engine that the queue gives nothing new meanwhile.
    std::size_t from_queue = 1;
    bool until_stopped = false; // else it ends when nobody has renewed it for a while
};

// Of a look that is under way; absent fields stay as they are.
struct LookPatch {
    std::optional<std::vector<chess::Move>> line = std::nullopt;
    std::optional<std::size_t> lines = std::nullopt;
    std::optional<std::size_t> from_queue = std::nullopt;
    std::optional<bool> until_stopped = std::nullopt;
};

struct Look {
    // The question that is out.
    struct Search {
        engine_bridge::JobId job = 0;
        int depth = 0;          // plies, its limit
        std::size_t number = 0; // of the best move that it looks for, from 0
    };

    LookId id{};
    analysis::AnalysisId analysis{};
    LookWish wish;
    chess::Position position = chess::Position::initial();
    std::string engine; // name of the profile
    std::string ended;  // why it is over, for people; "" while it goes on
    int depth = 0;      // plies that each of the lines has reached; 0: none yet
    // Best first, as finished searches of this position said. Moves are distinct.
    std::vector<analysis::Evaluation> lines;
    std::optional<Search> search;

    // ---- for Looks only ----
    engine_bridge::ProfileId profile = 0;        // of the engine, as the dispatcher has it
    std::optional<engine_bridge::PlaceId> place; // that is reserved for it
    std::vector<analysis::Evaluation> known;     // of the position, by its engine, exact
    std::uint64_t reading = 0; // number of the read of these; 0: none is under way
    int deepest = 0;           // that the engine has told
    int no_deeper = 0;         // answers since
    analysis::UnixMs renewed_at = 0;
    analysis::UnixMs ended_at = 0;
    analysis::UnixMs told_at = 0;
    bool untold = false; // it changed since it was told
};

} // namespace adjourn::server
