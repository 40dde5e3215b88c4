// Makes moves on a Board: one function per kind of move, so that the kernels pay only for what a
// move needs. All expect legal moves and keep the Board's promises about castling and en passant.
#pragma once

#include "chess/detail/attacks.hpp"

namespace adjourn::chess::detail {

struct CastlingSquares {
    int king;
    int rook;
};

// Where king and rook end up, in Chess960 as in standard chess.
ADJOURN_INLINE constexpr CastlingSquares castling_targets(int king, int rook) {
    const int rank = king & 56;
    return rook > king ? CastlingSquares{rank + 6, rank + 5} : CastlingSquares{rank + 2, rank + 3};
}

// Any move but castling and en passant, captures included. `becomes` differs from `role` in
// promotions only. Double pawn pushes need make_double_push.
ADJOURN_INLINE void make_piece(Board& board, Color us, Role role, Role becomes, int from, int to) {
    const Bitboard target = bit(to);
    const Bitboard keep = ~(bit(from) | target);
    for (Bitboard& set : board.roles) {
        set &= keep;
    }
    board.roles[index(becomes)] |= target;
    board.colors[index(us)] = (board.colors[index(us)] & keep) | target;
    board.colors[index(!us)] &= keep;
    board.castling_rooks &= role == Role::king ? keep & ~back_rank(us) : keep;
    board.en_passant = 0;
}

template <class Sliders>
ADJOURN_INLINE void make_double_push(Board& board, Color us, int from, int to) {
    const Bitboard both = bit(from) | bit(to);
    board.roles[index(Role::pawn)] ^= both;
    board.colors[index(us)] ^= both;
    board.en_passant = 0;
    const int passed = (from + to) / 2;
    if ((pawn_attacks[index(us)][passed] & board.of(!us, Role::pawn)) != 0) [[unlikely]] {
        if (en_passant_is_legal<Sliders>(board, !us, passed)) {
            board.en_passant = bit(passed);
        }
    }
}

ADJOURN_INLINE void make_en_passant(Board& board, Color us, int from, int to) {
    const Bitboard captured = bit(us == Color::white ? to - 8 : to + 8);
    const Bitboard own = bit(from) | bit(to);
    board.roles[index(Role::pawn)] ^= own | captured;
    board.colors[index(us)] ^= own;
    board.colors[index(!us)] ^= captured;
    board.en_passant = 0;
}

ADJOURN_INLINE void make_castling(Board& board, Color us, int king, int rook) {
    const CastlingSquares target = castling_targets(king, rook);
    const Bitboard before = bit(king) | bit(rook);
    const Bitboard after = bit(target.king) | bit(target.rook);
    board.roles[index(Role::king)] ^= bit(king) ^ bit(target.king);
    board.roles[index(Role::rook)] ^= bit(rook) ^ bit(target.rook);
    board.colors[index(us)] = (board.colors[index(us)] & ~before) | after;
    board.castling_rooks &= ~back_rank(us);
    board.en_passant = 0;
}

} // namespace adjourn::chess::detail
