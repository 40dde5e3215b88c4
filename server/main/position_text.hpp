// POSITION of the command line: a FEN, `startpos`, moves, or a PGN file.
#pragma once

#include "chess/position.hpp"

#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

struct RootText {
    chess::Position start;
    std::vector<chess::Move> moves;
};

// "startpos", "startpos moves e2e4 …", "FEN", "FEN moves …", "1. e4 c5", "e2e4 c7c5", or the name
// of a file whose first game's end is meant. The error is for people.
std::expected<RootText, std::string> parse_position_text(const std::string& text);

} // namespace adjourn::server
