// TakenGames: what a part of a PGN text adds to a collection.
#pragma once

#include "chess/pgn_parts.hpp"
#include "files/collections/collect.hpp"
#include "record.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace adjourn::collections {

struct TakenGames {
    std::vector<Record> records; // sorted, each place once; games are those in `games`
    std::string games;           // texts
    CollectReport report;        // lines and games of errors are the part's
    std::uint64_t read = 0;      // games in all
    std::uint64_t lines = 0;
};

// Pure: any thread.
TakenGames take_games(const chess::PgnParts::Part& part, const CollectOptions& options);

} // namespace adjourn::collections
