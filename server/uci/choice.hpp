// Choice: which of the things known about a position is the answer, and how far its line goes.
// Pure.
#pragma once

#include "core/records/finding.hpp"
#include "uci/deep_analysis.hpp"

#include <vector>

namespace adjourn::server::uci {

class Choice {
public:
    // REQUIRES: game.problem is empty. `moves`: those that may be played.
    Choice(const Game& game, std::vector<chess::Move> moves);

    const std::vector<chess::Move>& moves() const { return moves_; }
    bool holds(chess::Move move) const;
    // The best `most`, best first; each begins with one of the moves. The tree's lines, behind that
    // of a search of the position itself where they stand on less than what it says by now; else
    // what the store has. Empty where nothing is known.
    std::vector<RankedLine> lines(const Finding& finding, std::size_t most = 1) const;
    // The line up to where the game is over, or stands where the line or twice the game has been
    // before; a move into such a position of the game is worth 0. Same first move.
    RankedLine within_the_game(RankedLine line) const;

private:
    chess::Position position_;
    std::vector<chess::PackedPosition> past_; // what occurred twice in the game and can still recur
    std::vector<chess::Move> moves_;
};

} // namespace adjourn::server::uci
