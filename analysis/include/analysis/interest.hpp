// Interest: how much a move asks to be looked at, by its place among the moves of its position and
// by what it does on the board. A pure function of the position and the moves; 100 is a quiet best
// move. The idea of steering by such a number is J. Rollason's ("Interest Search – Another way to
// do Minimax", AI Factory newsletter, January 2014); rules and weights are our own.
#pragma once

#include "chess/position.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace adjourn::analysis {

// All weights, in points of interest; docs/search.md repeats them.
struct InterestWeights {
    std::array<double, 6> rank{100, 60, 45, 36, 30, 26}; // by value; the last one for all others
    double principal = 20;     // all moves of the line so far are best ones, and so is this
    double engine_choice = 20; // the engine's first choice, before anything below was known
    double capture = 20;       // takes something
    double good_capture = 20;  // of more value than the taker, or undefended; on top
    double check = 25;
    double evasion = 15; // gets out of check
    double promotion = 40;
    double attack = 15;      // newly attacks a piece of more value, or an undefended one
    double answer = 20;      // moves a threatened piece, or takes what threatens it
    double only = 200;       // the only legal move; on top
    double same_from = 0.7;  // factor for each move tried before from the same square
    double same_piece = 0.9; // … of the same kind of piece from elsewhere
    double same_kind = 0.9;  // … of the same kind: capture, check, promotion, castling, quiet
    double least = 5;        // no move has less
};
inline constexpr InterestWeights interest_weights;

// Where a move stands at its position.
struct MoveStanding {
    int rank = 0;               // by value, 0 for the best
    bool principal = false;     // best of a line of best moves
    bool engine_choice = false; // best by engine score alone
};

// Of one position's moves.
class Interest {
public:
    explicit Interest(const chess::Position& position);

    // `tried`: the moves looked at before it, in any order. Precondition: all are legal.
    double of(chess::Move move, const MoveStanding& standing,
              std::span<const chess::Move> tried) const;
    // Of a quiet move that is not known yet and would have this rank.
    static double quiet(int rank);

private:
    enum class Kind : std::uint8_t { quiet, capture, check, promotion, castling };

    Kind kind_of(chess::Move move) const;
    double likeness(chess::Move move, std::span<const chess::Move> tried) const;
    double on_board(chess::Move move) const;
    bool answers_threat(chess::Move move) const;
    bool attacks_something(chess::Move move) const;

    const chess::Position& position_;
    std::array<std::optional<chess::Piece>, 64> board_;
    bool in_check_;
    std::size_t legal_;
    std::uint64_t threatened_ = 0; // pieces of the mover, a bit per square
    std::uint64_t threats_ = 0;    // what threatens them
};

} // namespace adjourn::analysis
