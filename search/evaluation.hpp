// Evaluation: Σ wᵢ fᵢ(position), a weighted sum of features. Each feature is a difference of
// counts, White's less Black's. A weight is a pair, for the middle of a game and for its end; the
// sum goes from one to the other as pieces leave the board.
#pragma once

#include "chess/position.hpp"
#include "search/negamax.hpp"

namespace adjourn::search {

// For the side to move. Ignores clocks, repetition and whether the game is over.
Value evaluate(const chess::Position& position);

} // namespace adjourn::search
