// Bitboard arithmetic and the tables of the leapers. Small helpers are always_inline so that the
// kernels, which are compiled for different instruction sets, never share an out-of-line copy.
#pragma once

#include "chess/detail/board.hpp"

#include <array>

namespace adjourn::chess::detail {

#define ADJOURN_INLINE [[gnu::always_inline]] inline

constexpr Bitboard file_a = 0x0101010101010101;
constexpr Bitboard file_h = file_a << 7;
constexpr Bitboard rank_1 = 0xff;
constexpr Bitboard rank_8 = rank_1 << 56;
constexpr Bitboard light_squares = 0x55aa55aa55aa55aa;

ADJOURN_INLINE constexpr Bitboard bit(int square) {
    return Bitboard{1} << square;
}
ADJOURN_INLINE constexpr int lowest(Bitboard set) {
    return __builtin_ctzll(set);
}
ADJOURN_INLINE constexpr int count(Bitboard set) {
#if defined(__POPCNT__) || !defined(__x86_64__)
    return __builtin_popcountll(set);
#else // a call otherwise: in pairs, fours, eights of bits, and all together
    set -= set >> 1 & 0x5555555555555555;
    set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
    return static_cast<int>(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f) * file_a >> 56);
#endif
}
ADJOURN_INLINE constexpr bool several(Bitboard set) {
    return (set & (set - 1)) != 0;
}
ADJOURN_INLINE constexpr int pop_lowest(Bitboard& set) {
    const int square = lowest(set);
    set &= set - 1;
    return square;
}

ADJOURN_INLINE constexpr int index(Color color) {
    return static_cast<int>(color);
}
ADJOURN_INLINE constexpr int index(Role role) {
    return static_cast<int>(role);
}
ADJOURN_INLINE constexpr Bitboard back_rank(Color color) {
    return color == Color::white ? rank_1 : rank_8;
}

// Moves every bit by `delta` squares; the caller has removed what would wrap round the edge.
template <int delta>
ADJOURN_INLINE constexpr Bitboard shift(Bitboard set) {
    if constexpr (delta > 0) {
        return set << delta;
    } else {
        return set >> -delta;
    }
}

using SquareTable = std::array<Bitboard, 64>;

struct Step {
    int file;
    int rank;
};

constexpr bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

template <std::size_t n>
constexpr SquareTable leaper_table(const std::array<Step, n>& steps) {
    SquareTable table{};
    for (int square = 0; square < 64; ++square) {
        for (const Step step : steps) {
            const int file = (square & 7) + step.file;
            const int rank = (square >> 3) + step.rank;
            if (on_board(file, rank)) {
                table[square] |= bit(rank * 8 + file);
            }
        }
    }
    return table;
}

template <std::size_t n>
constexpr SquareTable ray_table(const std::array<Step, n>& directions) {
    SquareTable table{};
    for (int square = 0; square < 64; ++square) {
        for (const Step step : directions) {
            int file = (square & 7) + step.file;
            int rank = (square >> 3) + step.rank;
            while (on_board(file, rank)) {
                table[square] |= bit(rank * 8 + file);
                file += step.file;
                rank += step.rank;
            }
        }
    }
    return table;
}

inline constexpr std::array<Step, 4> orthogonals{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
inline constexpr std::array<Step, 4> diagonals{{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};

inline constexpr SquareTable knight_attacks = leaper_table(
    std::array<Step, 8>{{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}});
inline constexpr SquareTable king_attacks = leaper_table(
    std::array<Step, 8>{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}});
// By the colour of the pawn that attacks.
inline constexpr std::array<SquareTable, 2> pawn_attacks{
    leaper_table(std::array<Step, 2>{{{-1, 1}, {1, 1}}}),
    leaper_table(std::array<Step, 2>{{{-1, -1}, {1, -1}}})};
// Attacks of rook and bishop on the empty board.
inline constexpr SquareTable rook_rays = ray_table(orthogonals);
inline constexpr SquareTable bishop_rays = ray_table(diagonals);

// Squares strictly between two squares of one line; empty if they share no line.
using BetweenTable = std::array<SquareTable, 64>;
extern const BetweenTable between;

} // namespace adjourn::chess::detail
