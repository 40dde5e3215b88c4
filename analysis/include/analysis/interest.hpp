// Interest: how much a move deserves a search, by what is known of it and by what it does on the
// board. The idea, the base by the number of legal moves, and most terms are J. Rollason's
// ("Interest Search – Another way to do Minimax", AI Factory newsletter, January 2014; Game AI Pro
// 2); weights are ours. docs/internals/strategies.md lists the differences. Pure functions.
#pragma once

#include "chess/position.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace adjourn::analysis {

// All weights, in points of interest; docs/internals/strategies.md repeats them. A quiet move in
// the middle of a game has about 30.
struct InterestWeights {
    double shared = 1000;      // divided by the number of legal moves: the base
    double best = 100;         // the best move by value
    double principal = 50;     // all moves of the line so far are best ones, and so is this
    double engine_choice = 50; // the engine's first choice, before anything below was known
    double best_quiet = 50;    // the best of those that take nothing and promote nothing
    double killer = 50;        // best at a position that differs by the opponent's last move
    double reply = 50;         // best after the same move of the opponent elsewhere
    double capture = 50;       // takes something
    double good_capture = 50;  // of more value than the taker, or undefended; on top
    double takes_checker = 50; // on top
    double check = 100;
    double after_check = 50; // one's own last move gave check
    double promotion = 100;
    double pin = 50;         // of a piece to one of more value behind it
    double attack = 50;      // newly attacks a piece of more value, or an undefended one
    double answer = 50;      // moves a threatened piece, or takes what threatens it
    double same_from = 0.7;  // factor for each move tried before from the same square
    double same_piece = 0.9; // … of the same kind of piece from elsewhere
    double same_kind = 0.9;  // … of the same kind: capture, check, promotion, castling, quiet
    double fading = 0.9;     // factor for each ply beyond the level's own depth
    double least = 5;        // no move has less
};
inline constexpr InterestWeights interest_weights;

// What is known of a move.
struct MoveStanding {
    bool best = false;          // by value
    bool principal = false;     // and the line has best moves only
    bool engine_choice = false; // best by engine score alone
    bool best_quiet = false;
    bool killer = false;
    bool reply = false;
};

// How a line comes to a position.
struct Occasion {
    bool after_check = false; // the mover's last move gave check
    int beyond = 0;           // plies beyond the level's own depth, ≥ 0
};

// What a move does on the board, and what it has in common with others.
struct MoveLook {
    enum class Kind : std::uint8_t { quiet, capture, check, promotion, castling };

    double points = 0;
    chess::Square from{0};
    chess::Role role = chess::Role::pawn;
    Kind kind = Kind::quiet;
    bool takes_nothing = true; // and promotes nothing

    // A factor for this move's interest, after the other one was tried.
    double after(const MoveLook& tried) const;
};

// Of one position's moves.
class Interest {
public:
    explicit Interest(const chess::Position& position);

    double base() const { return base_; }
    // Precondition: the move is legal.
    MoveLook look(chess::Move move) const;

    // In points, before any other move was tried.
    static double of(double base, const MoveLook& look, const MoveStanding& standing,
                     const Occasion& occasion);
    // Of a quiet move that is not known yet.
    static double of_unknown(double base, const Occasion& occasion);

private:
    bool answers_threat(chess::Move move) const;
    bool attacks_something(chess::Move move) const;
    bool pins_something(chess::Move move) const;

    const chess::Position& position_;
    std::array<std::optional<chess::Piece>, 64> board_;
    double base_ = 0;
    std::uint64_t checkers_ = 0;   // a bit per square
    std::uint64_t threatened_ = 0; // pieces of the mover
    std::uint64_t threats_ = 0;    // what threatens them
};

} // namespace adjourn::analysis
