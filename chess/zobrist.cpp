#include "chess/zobrist.hpp"

namespace adjourn::chess::detail {

std::uint64_t placement_hash(const Board& board) {
    std::uint64_t hash = 0;
    for (const Color color : {Color::white, Color::black}) {
        for (int role = 0; role < 6; ++role) {
            Bitboard set = board.of(color, static_cast<Role>(role));
            while (set != 0) {
                hash ^= piece_key(color, static_cast<Role>(role), pop_lowest(set));
            }
        }
    }
    return hash;
}

std::uint64_t rights_hash(const Board& board) {
    std::uint64_t hash = 0;
    for (Bitboard rooks = board.castling_rooks; rooks != 0;) {
        hash ^= castling_key(pop_lowest(rooks));
    }
    if (board.en_passant != 0) {
        hash ^= en_passant_key(lowest(board.en_passant));
    }
    return hash;
}

std::uint64_t hash_of(const Board& board, Color turn) {
    return placement_hash(board) ^ rights_hash(board) ^
           (turn == Color::white ? white_to_move_key : 0);
}

} // namespace adjourn::chess::detail
