// Leaving: games of a person's files that leave the moves which the files before them have. Pure.
#pragma once

#include "chess/annotated_game.hpp"
#include "files/kept/kept_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace adjourn::server {

struct LeavingGame {
    std::string players;            // "White – Black", or the file's name
    std::vector<chess::Move> line;  // from the root; the last one is the move that leaves
    std::vector<chess::Move> known; // what the files before have in its place
    analysis::UnixMs at = 0;        // when the game came
};

// Of files that came after `since`, `most` games at most, those first that leave the latest. Where
// a game does not lead through the root or nothing before it does, it leaves nothing. `files`: all
// of an analysis, the oldest first.
std::vector<LeavingGame> games_that_leave(const std::vector<KeptFile>& files,
                                          const chess::Position& root, analysis::UnixMs since,
                                          std::size_t most);

} // namespace adjourn::server
