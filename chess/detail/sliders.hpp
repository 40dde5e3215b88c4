// Attacks of rook and bishop without tables worth speaking of: "hyperbola quintessence" (Gerd
// Isenberg, Aleks Peshkov): o ^ (o - 2r) gives the squares above the slider, the same on the
// reversed board those below. Byte swap reverses files and diagonals; a rank is looked up.
// Runs on any machine; the BMI2 kernel has a faster one.
#pragma once

#include "chess/detail/attacks.hpp"
#include "chess/detail/bitboard.hpp"

namespace adjourn::chess::detail {

struct LineMasks {
    Bitboard file;     // without the square itself
    Bitboard diagonal; // parallel to a1–h8
    Bitboard antidiagonal;
};

constexpr std::array<LineMasks, 64> line_masks_table() {
    const SquareTable file = ray_table(std::array<Step, 2>{{{0, 1}, {0, -1}}});
    const SquareTable diagonal = ray_table(std::array<Step, 2>{{{1, 1}, {-1, -1}}});
    const SquareTable antidiagonal = ray_table(std::array<Step, 2>{{{1, -1}, {-1, 1}}});
    std::array<LineMasks, 64> table{};
    for (int square = 0; square < 64; ++square) {
        table[square] = {file[square], diagonal[square], antidiagonal[square]};
    }
    return table;
}

// By the occupancy of files b–g and the slider's file: the attacked squares of the rank.
constexpr std::array<std::array<std::uint8_t, 8>, 64> rank_attacks_table() {
    std::array<std::array<std::uint8_t, 8>, 64> table{};
    for (int inner = 0; inner < 64; ++inner) {
        const int occupied = inner << 1;
        for (int file = 0; file < 8; ++file) {
            int attacks = 0;
            for (int at = file + 1; at < 8; ++at) {
                attacks |= 1 << at;
                if ((occupied & 1 << at) != 0) {
                    break;
                }
            }
            for (int at = file - 1; at >= 0; --at) {
                attacks |= 1 << at;
                if ((occupied & 1 << at) != 0) {
                    break;
                }
            }
            table[inner][file] = static_cast<std::uint8_t>(attacks);
        }
    }
    return table;
}

inline constexpr std::array<LineMasks, 64> line_masks = line_masks_table();
inline constexpr std::array<std::array<std::uint8_t, 8>, 64> rank_attacks = rank_attacks_table();

struct PortableSliders {
    static Bitboard rook(int square, Bitboard occupied) {
        const int rank_shift = square & 56;
        const auto inner = (occupied >> rank_shift >> 1) & 63;
        const Bitboard rank = static_cast<Bitboard>(rank_attacks[inner][square & 7]) << rank_shift;
        return rank | along(square, occupied, line_masks[square].file);
    }
    static Bitboard bishop(int square, Bitboard occupied) {
        return along(square, occupied, line_masks[square].diagonal) |
               along(square, occupied, line_masks[square].antidiagonal);
    }

private:
    static Bitboard along(int square, Bitboard occupied, Bitboard line) {
        Bitboard forward = occupied & line;
        Bitboard backward = __builtin_bswap64(forward);
        forward -= bit(square);
        backward -= bit(square ^ 56);
        return (forward ^ __builtin_bswap64(backward)) & line;
    }
};

// What a man attacks, for code that knows its role only at run time.
inline Bitboard role_attacks(Role role, Color color, int square, Bitboard occupied) {
    switch (role) {
    case Role::pawn: return pawn_attacks[index(color)][square];
    case Role::knight: return knight_attacks[square];
    case Role::bishop: return PortableSliders::bishop(square, occupied);
    case Role::rook: return PortableSliders::rook(square, occupied);
    case Role::queen:
        return PortableSliders::bishop(square, occupied) | PortableSliders::rook(square, occupied);
    case Role::king: break;
    }
    return king_attacks[square];
}

} // namespace adjourn::chess::detail
