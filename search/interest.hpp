// Interest search: lines are cut not by length but by what they cost. A move costs unit / interest,
// on top of what the moves tried before it at the position cost, and a line goes on while the side
// that pays still can. The threshold grows in small steps from iteration to iteration.
//
// J. Rollason, "Interest Search – Another way to do Minimax", AI Factory newsletter, January 2014,
// and "SUPER-SOMA – Solving tactical exchanges in Shogi without tree searching", Computers and
// Games 2000 (LNCS 2063). The source's own numbers are not public: all of these are ours.
//
// Both sides have budgets of their own. With one for both, a dull move would use up what the reply
// to it needs, and the line would end with it, unanswered.
#pragma once

#include "chess/position.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace adjourn::search {

// What makes a move interesting.
enum class InterestTerm : std::uint8_t {
    replies,       // divided by the number of legal moves: the base
    check_evasion, // the base as much again, for each so many hundredths
    after_check,   // one's own last move gave check
    takes_checker,
    last_best,  // of the last visit to this position
    principal,  // every move of the line was last_best, and so is this
    killer,     // cut off at another position of the same ply
    reply,      // cut off after the same move of the opponent
    follow_on,  // cut off after the same move of one's own before
    best_quiet, // the best by history of those that take nothing
    capture,    // that loses nothing by static exchange
    winning,    // that gains; on top
    recapture,  // on the square of the opponent's last move
    check,
    promotion,
    pin,       // of a piece to one of more value behind it
    attack,    // on a piece of more value, or an undefended one
    answer,    // moves a threatened piece, or takes what threatens one
    tie,       // leaves a piece that it alone defends; lowers
    plausible, // by history among the quiet moves: the best of them has all of it
    losing,    // by static exchange; hundredths of the interest that are left
    same_from, // likeness to each move tried before it here; hundredths that are left
    same_piece,
    same_kind,
    same_target,
    beyond, // each ply beyond the iteration's own depth; hundredths that are left
    least,  // no move has less
    carry,  // hundredths of what was tried before that a move pays on top
};
inline constexpr std::size_t interest_terms = static_cast<std::size_t>(InterestTerm::carry) + 1;

struct InterestWeight {
    const char* name;
    int points;
    const char* source; // "R": Rollason's list for chess; "S": his for shogi; else ours
};

class InterestWeights {
public:
    InterestWeights(); // the table in interest.cpp
    int operator[](InterestTerm term) const {
        return table_[static_cast<std::size_t>(term)].points;
    }
    void set(InterestTerm term, int points) {
        table_[static_cast<std::size_t>(term)].points = points;
    }
    const std::array<InterestWeight, interest_terms>& table() const { return table_; }

private:
    std::array<InterestWeight, interest_terms> table_;
};

// Budgets are counted in units / 32; a move of interest 100 costs one unit.
inline constexpr int interest_unit = 32;

// What a dull move, one that its side can no longer pay, is worth at the end of the budget.
enum class DullMoves : std::uint8_t {
    answered, // as it stands if that is no gain; else the opponent has his whole budget to answer
    counted,  // as it stands: it may end the line early
    left_out, // nothing, unless there is no other
};

struct InterestOptions {
    InterestWeights weights;
    int step = 14; // of the threshold from iteration to iteration, in units / 32
    // A side with no more than that does not go on, in units / 32. Every rest, however small, would
    // else pay for a look at all moves.
    int entry = 29;
    bool budgets_apart = true; // false: one for both, for comparison
    DullMoves dull = DullMoves::answered;
};

} // namespace adjourn::search
