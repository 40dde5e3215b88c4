// What the searches see on a board beside the moves: roles, attackers, squares that give check.
#pragma once

#include "chess/detail/attacks.hpp"
#include "chess/detail/sliders.hpp"
#include "chess/position.hpp"

namespace adjourn::search {

using chess::detail::Bitboard;

inline Bitboard bit_of(chess::Square square) {
    return chess::detail::bit(square.index());
}

// Precondition: a piece stands there.
inline chess::Role role_on(const chess::detail::Board& board, chess::Square square) {
    const Bitboard where = bit_of(square);
    int role = 0;
    while ((board.roles[static_cast<std::size_t>(role)] & where) == 0) {
        ++role;
    }
    return static_cast<chess::Role>(role);
}

// Squares that a piece attacks.
Bitboard attacks_from(chess::Role role, chess::Color color, int square, Bitboard occupied);

// Pieces of both sides that attack a square.
Bitboard all_attackers(const chess::detail::Board& board, int square, Bitboard occupied);

// Tells moves that give check, quicker than playing them.
class CheckSight {
public:
    explicit CheckSight(const chess::Position& position);
    // Precondition: the move is legal.
    bool gives_check(chess::Move move) const;

private:
    const chess::Position& position_;
    std::array<Bitboard, 6> direct_{}; // from where a piece of that role checks
    Bitboard screens_ = 0; // own pieces alone between the other king and a slider of ours
    int king_;
};

} // namespace adjourn::search
