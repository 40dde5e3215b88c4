// Gaps: where a repertoire has no answer yet. A repertoire is an analysis seen from one side: one
// move of mine in each position, and all moves of theirs that matter.
#pragma once

#include "api/views/graph_views.hpp"
#include "files/collections/collection.hpp"

#include <memory>

namespace adjourn::server {

struct GapLimits {
    chess::Color side = chess::Color::white; // mine
    int within = 30;                         // cp behind their best move that still matters
    std::uint64_t games = 5;                 // of a move of theirs in the collection that matters
    int loses = 30;          // a move of mine is listed as a loss from so many cp behind the best
    bool own_only = false;   // the engine's best move is no answer, only mine are
    std::size_t plies = 30;  // from the end of the line
    std::size_t limit = 100; // of each list
    bool answers = false;    // whether positions with an answer are listed, too
};

// Looks on from the end of `line`, the likeliest position first, each once. Where I am to move, it
// follows one move: mine (imported from a game, or included), of several the best; else, unless
// own_only, the best one. Where they are to move it follows all moves within `within` of the best,
// all played in `games` games of the collection, and those of mine. `collection` may be null.
// REQUIRES: run.slot.
nlohmann::json gaps_json(const RunView& run, const GraphReading& reading,
                         const std::vector<chess::Move>& line, const GapLimits& limits,
                         std::shared_ptr<const collections::Collection> collection);

} // namespace adjourn::server
