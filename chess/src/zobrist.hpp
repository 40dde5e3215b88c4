// Zobrist keys from Polyglot's numbers. The hash of a position is the XOR of the keys of its parts.
#pragma once

#include "chess/detail/bitboard.hpp"
#include "zobrist_numbers.hpp"

#include <bit>

namespace adjourn::chess::detail {

constexpr std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

constexpr std::uint64_t piece_key(Color color, Role role, int square) {
    const int kind = 2 * index(role) + (color == Color::white ? 1 : 0);
    return zobrist_numbers[at(64 * kind + square)];
}

constexpr int castling_offset = 768;
constexpr int en_passant_offset = 772;
constexpr int turn_offset = 780;

// Polyglot's four: White short, White long, Black short, Black long.
constexpr std::uint64_t polyglot_castling_key(Color color, bool king_side) {
    return zobrist_numbers[at(castling_offset + 2 * index(color) + (king_side ? 0 : 1))];
}

// The key of a rook that may castle: Polyglot's own for rooks in the corner, a rotation of it for
// other files (Chess960), so that rights of different rooks hash differently.
constexpr std::uint64_t castling_key(int rook) {
    const Color color = rook < 8 ? Color::white : Color::black;
    const int file = rook & 7;
    const bool king_side = file >= 4;
    return std::rotl(polyglot_castling_key(color, king_side), king_side ? 7 - file : 8 * file);
}

constexpr std::uint64_t en_passant_key(int square) {
    return zobrist_numbers[at(en_passant_offset + (square & 7))];
}

constexpr std::uint64_t white_to_move_key = zobrist_numbers[turn_offset];

// Recomputes the hash of the identity (see Position::hash) from nothing.
std::uint64_t hash_of(const Board& board, Color turn);
// Its part that does not come from the placement of pieces and the turn.
std::uint64_t rights_hash(const Board& board);
std::uint64_t placement_hash(const Board& board);

} // namespace adjourn::chess::detail
