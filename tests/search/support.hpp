// What the tests of search/ share: positions, also with the colours exchanged.
#pragma once

#include "chess/position.hpp"

#include <functional>
#include <string>
#include <vector>

namespace adjourn::search::testing {

// Fails the test if the FEN is refused.
chess::Position position(const std::string& fen);
// The same position with colours and ranks exchanged; with files exchanged.
chess::Position colour_flipped(const chess::Position& position);
chess::Position mirrored(const chess::Position& position); // precondition: no castling rights

// Of openings, middle games and endgames; also Chess960.
const std::vector<std::string>& fens();
// Plays random games from them, and shows every position met.
void for_random_positions(int games, int plies, std::uint64_t seed,
                          const std::function<void(const chess::Position&)>& show);

} // namespace adjourn::search::testing
