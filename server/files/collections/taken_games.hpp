// TakenGames: what a part of a PGN text adds to a collection.
#pragma once

#include "chess/pgn_parts.hpp"
#include "files/collections/collect.hpp"
#include "files/collections/collection.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace adjourn::collections {

struct TakenMove {
    std::int64_t position = 0; // the bits of chess::Position::hash()
    std::uint16_t move = 0;    // chess::Move::raw()
    std::uint32_t game = 0;    // its place in `games`

    friend auto operator<=>(const TakenMove&, const TakenMove&) = default;
};

struct TakenGames {
    std::vector<KnownGame> games;
    std::vector<TakenMove> moves; // each move of a position once a game
    CollectReport report;         // lines and games of errors are the part's
    std::uint64_t read = 0;       // games in all
    std::uint64_t lines = 0;
};

// Pure: any thread.
TakenGames take_games(const chess::PgnParts::Part& part, const CollectOptions& options);

} // namespace adjourn::collections
