#include "chess/polyglot.hpp"

#include "zobrist.hpp"

namespace adjourn::chess {

using namespace detail;

std::uint64_t polyglot_key(const Position& position) {
    const Board& board = position.board();
    std::uint64_t key = placement_hash(board);
    for (Bitboard rooks = board.castling_rooks; rooks != 0;) {
        const int rook = pop_lowest(rooks);
        const Color color = rook < 8 ? Color::white : Color::black;
        key ^= polyglot_castling_key(color, rook > position.king(color).index());
    }
    if (const auto passed = position.double_push()) {
        key ^= en_passant_key(passed->index());
    }
    return position.turn() == Color::white ? key ^ white_to_move_key : key;
}

} // namespace adjourn::chess
