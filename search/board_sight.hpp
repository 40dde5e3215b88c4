// What the searches see on a board beside the moves: roles, attackers, squares that give check.
#pragma once

#include "chess/detail/attacks.hpp"
#include "chess/detail/sliders.hpp"
#include "chess/position.hpp"

#include <array>

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

// Static exchange: what a move gains in material when both sides go on taking on its square, the
// least valuable piece first, and either may stop. Pieces behind others take part; pins and checks
// are not looked at.

// Centipawns by role; the king's is more than all else together.
inline constexpr std::array<int, 6> exchange_values{100, 320, 330, 500, 950, 20'000};

constexpr int exchange_value(chess::Role role) {
    return exchange_values[static_cast<std::size_t>(role)];
}

// For the mover. Quiet moves count as well: 0 or what is lost on the square. Castling is 0.
// Precondition: the move is legal.
int exchange(const chess::Position& position, chess::Move move);

} // namespace adjourn::search
