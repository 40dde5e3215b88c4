// Who attacks what, on a Board.
#pragma once

#include "chess/detail/bitboard.hpp"

namespace adjourn::chess::detail {

// Pieces of `by` that attack `square` on a board whose occupied squares are `occupied`.
template <class Sliders>
ADJOURN_INLINE Bitboard attackers(const Board& board, Color by, int square, Bitboard occupied) {
    const Bitboard queens = board.of(Role::queen);
    return board.of(by) & ((pawn_attacks[index(!by)][square] & board.of(Role::pawn)) |
                           (knight_attacks[square] & board.of(Role::knight)) |
                           (king_attacks[square] & board.of(Role::king)) |
                           (Sliders::rook(square, occupied) & (board.of(Role::rook) | queens)) |
                           (Sliders::bishop(square, occupied) & (board.of(Role::bishop) | queens)));
}

ADJOURN_INLINE int king_square(const Board& board, Color color) {
    return lowest(board.of(color, Role::king));
}

// Whether `us`'s pawn on `from` may capture en passant on `to` without leaving its king attacked.
// The only pieces that can attack the king afterwards and not before are sliders behind the two
// pawns; a check that stands already is answered only if it came from the captured pawn or is
// blocked by the capturer.
template <class Sliders>
ADJOURN_INLINE bool en_passant_is_safe(const Board& board, Color us, int from, int to) {
    const Color them = !us;
    const int king = king_square(board, us);
    const Bitboard captured = bit(us == Color::white ? to - 8 : to + 8);
    const Bitboard occupied = (board.occupied() ^ bit(from) ^ captured) | bit(to);
    const Bitboard queens = board.of(Role::queen);
    const Bitboard lines = board.of(them) & (board.of(Role::rook) | queens);
    const Bitboard diagonal = board.of(them) & (board.of(Role::bishop) | queens);
    const Bitboard others = board.of(them) & ~captured &
                            ((knight_attacks[king] & board.of(Role::knight)) |
                             (pawn_attacks[index(us)][king] & board.of(Role::pawn)));
    return others == 0 && (Sliders::rook(king, occupied) & lines) == 0 &&
           (Sliders::bishop(king, occupied) & diagonal) == 0;
}

// Whether any pawn of `us` may capture on `to`.
template <class Sliders>
inline bool en_passant_is_legal(const Board& board, Color us, int to) {
    Bitboard pawns = pawn_attacks[index(!us)][to] & board.of(us, Role::pawn);
    while (pawns != 0) {
        if (en_passant_is_safe<Sliders>(board, us, pop_lowest(pawns), to)) {
            return true;
        }
    }
    return false;
}

} // namespace adjourn::chess::detail
