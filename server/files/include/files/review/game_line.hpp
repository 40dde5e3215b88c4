// GameLine: what a review of a game is about: its main line from the root of an analysis on. Pure.
#pragma once

#include "chess/annotated_game.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace adjourn::server {

struct GameLine {
    std::vector<chess::PgnTag> tags;
    std::string result;
    std::size_t plies = 0;           // of its whole main line
    std::vector<chess::Move> moves;  // of its main line, from the root on
    std::vector<std::string> clocks; // [%clk] behind each of them; "": there is none
    std::string reason;              // why it cannot be reviewed; "": it can
};

GameLine game_line(const chess::AnnotatedGame& game, const chess::Position& root);

} // namespace adjourn::server
