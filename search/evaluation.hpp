// The evaluation. Each file that includes this has one of its own, for the instructions that it is
// compiled for: evaluation.cpp for any machine, evaluation_bmi2.cpp for those with fast BMI2.
#pragma once

#include "search/search.hpp"

#include "chess/detail/attacks.hpp"
#include "chess/detail/sliders.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace adjourn::search {

using chess::Color;
using chess::Role;
using namespace chess::detail;

namespace {

struct Weight {
    int middle = 0; // centipawns
    int end = 0;
};

// A row of the table of weights: one feature, or up to eight of one kind (by rank, …).
enum class Term : std::uint8_t {
    material,    // pawn, knight, bishop, rook, queen
    bishop_pair, //
    pawn_rank,   // where the pieces stand: by rank, seen from their own side …
    knight_rank,
    bishop_rank,
    rook_rank,
    queen_rank,
    king_rank,
    pawn_file, // … and by distance from the nearer edge
    knight_file,
    bishop_file,
    rook_file,
    queen_file,
    king_file,
    mobility,  // squares a knight, bishop, rook, queen can go to: not own ones, nor a pawn's prey
    open_file, // rooks on files without pawns; without own ones
    doubled,
    isolated,
    backward,
    supported,   // beside or guarded by a pawn
    passed,      // by rank
    passed_king, // steps that the other king is farther from the square in front of it
    shield,      // pawns before the king, one step, two steps
    king_open,   // files at the king without own pawns
    king_ring,   // attacks on squares around the other king by knight, bishop, rook, queen
    pawn_threat, // pieces that a pawn attacks
    loose,       // pieces of the other side that are attacked and not defended
    tempo,
};
constexpr std::size_t term_count = static_cast<std::size_t>(Term::tempo) + 1;
constexpr std::size_t slots = 8;

// By hand, then fitted to games: docs/measurements/benchmarks.md.
constexpr std::array<std::array<Weight, slots>, term_count> weights{{
    {{{74, 117}, {324, 297}, {337, 313}, {463, 524}, {979, 961}}},
    {{{23, 46}}},
    {{{0, 0}, {-4, -1}, {0, -4}, {7, -3}, {11, 13}, {26, 45}, {53, 70}}},
    {{{-27, -24}, {-12, -12}, {0, 2}, {11, 12}, {16, 13}, {16, 5}, {-3, -6}, {-26, -20}}},
    {{{-10, -8}, {4, -7}, {4, 3}, {4, 5}, {7, 5}, {2, 2}, {-5, -2}, {-11, -6}}},
    {{{0, -4}, {-9, -5}, {-6, -1}, {-3, 6}, {3, 11}, {9, 13}, {19, 13}, {10, 15}}},
    {{{-1, -18}, {1, -10}, {0, 0}, {1, 9}, {0, 11}, {8, 12}, {4, 8}, {4, 1}}},
    {{{8, -30}, {-4, -5}, {-30, 2}, {-51, 14}, {-61, 14}, {-60, 21}, {-59, 17}, {-59, 0}}},
    {{{-15, 11}, {-6, 4}, {6, 3}, {8, -4}}},
    {{{-23, -17}, {-6, -5}, {2, 4}, {11, 7}}},
    {{{-8, -5}, {-1, 0}, {-2, 2}, {1, 4}}},
    {{{-13, 3}, {-1, 3}, {6, 1}, {7, -3}}},
    {{{-4, -6}, {-3, 0}, {1, 5}, {6, 4}}},
    {{{22, -7}, {18, 1}, {-11, 8}, {-21, 7}}},
    {{{5, 2}, {4, 3}, {3, 3}, {2, 2}}},
    {{{24, 2}, {10, 13}}},
    {{{-4, -19}}},
    {{{-13, -4}}},
    {{{-8, -5}}},
    {{{7, 2}}},
    {{{0, 0}, {-4, -3}, {-3, 2}, {4, 30}, {16, 66}, {41, 103}, {73, 140}}},
    {{{-2, 14}}},
    {{{14, -7}, {8, -5}}},
    {{{-14, -2}}},
    {{{7, -3}, {12, 0}, {10, -5}, {11, 3}}},
    {{{45, 28}}},
    {{{27, 32}}},
    {{{10, 3}}},
}};

constexpr Term kth(Term first, int k) {
    return static_cast<Term>(static_cast<int>(first) + k);
}
constexpr const Weight& weight(Term term, int slot) {
    return weights[static_cast<std::size_t>(term)][static_cast<std::size_t>(slot)];
}
constexpr int edge_distance(int square) {
    const int file = square & 7;
    return std::min(file, 7 - file);
}

// Material and place together, by role and square as White sees it.
constexpr std::array<std::array<Weight, 64>, 6> piece_squares_table() {
    std::array<std::array<Weight, 64>, 6> table{};
    for (int role = 0; role < 6; ++role) {
        for (int square = 0; square < 64; ++square) {
            const Weight rank = weight(kth(Term::pawn_rank, role), square >> 3);
            const Weight file = weight(kth(Term::pawn_file, role), edge_distance(square));
            const Weight material = role < 5 ? weight(Term::material, role) : Weight{};
            table[static_cast<std::size_t>(role)][static_cast<std::size_t>(square)] = {
                material.middle + rank.middle + file.middle, material.end + rank.end + file.end};
        }
    }
    return table;
}
constexpr auto piece_squares = piece_squares_table();

// The sum itself.
struct Sum {
    int middle = 0;
    int end = 0;

    template <int sign>
    ADJOURN_INLINE void add(Term term, int slot, int count) {
        const Weight& of = weight(term, slot);
        middle += sign * count * of.middle;
        end += sign * count * of.end;
    }
    template <int sign>
    ADJOURN_INLINE void piece(Role role, int square) {
        const Weight& of =
            piece_squares[static_cast<std::size_t>(role)][static_cast<std::size_t>(square)];
        middle += sign * of.middle;
        end += sign * of.end;
    }
};

constexpr Bitboard files_beside(Bitboard set) {
    return (set & ~file_a) >> 1 | (set & ~file_h) << 1;
}
template <Color us>
constexpr Bitboard ahead(Bitboard set) { // all squares farther on the same files
    if constexpr (us == Color::white) {
        set <<= 8;
        set |= set << 8;
        set |= set << 16;
        return set | set << 32;
    } else {
        set >>= 8;
        set |= set >> 8;
        set |= set >> 16;
        return set | set >> 32;
    }
}
template <Color us>
constexpr Bitboard pawn_prey(Bitboard pawns) {
    const Bitboard steps = us == Color::white ? pawns << 8 : pawns >> 8;
    return files_beside(steps);
}
constexpr Bitboard file_of(int square) {
    return file_a << (square & 7);
}
constexpr int distance(int a, int b) {
    return std::max(std::abs((a & 7) - (b & 7)), std::abs((a >> 3) - (b >> 3)));
}

// What both sides' terms need of a side.
struct Side {
    Bitboard pawns;
    Bitboard prey;    // attacked by pawns
    Bitboard attacks; // by anything
    int king;
};

template <Color us>
void pawn_terms(const Side& own, const Side& other, Sum& sum) {
    constexpr int sign = us == Color::white ? 1 : -1;
    constexpr int up = us == Color::white ? 8 : -8;
    const Bitboard beside = files_beside(own.pawns);
    const Bitboard behind_beside = ahead<us>(beside) | beside; // where a neighbour can guard from
    const Bitboard theirs_ahead = ahead<!us>(other.pawns | files_beside(other.pawns));
    const Bitboard supported = own.pawns & (beside | own.prey);
    sum.add<sign>(Term::supported, 0, count(supported));
    sum.add<sign>(Term::doubled, 0, count(own.pawns & ahead<us>(own.pawns)));
    const Bitboard neighbours = ahead<Color::white>(beside) | ahead<Color::black>(beside) | beside;
    const Bitboard isolated = own.pawns & ~neighbours;
    sum.add<sign>(Term::isolated, 0, count(isolated));
    const Bitboard stopped = us == Color::white ? other.prey >> 8 : other.prey << 8;
    sum.add<sign>(Term::backward, 0, count(own.pawns & ~isolated & ~behind_beside & stopped));
    for (Bitboard passed = own.pawns & ~theirs_ahead & ~ahead<!us>(own.pawns); passed != 0;) {
        const int square = pop_lowest(passed);
        const int rank = us == Color::white ? square >> 3 : 7 - (square >> 3);
        sum.add<sign>(Term::passed, rank, 1);
        sum.add<sign>(Term::passed_king, 0,
                      distance(other.king, square + up) - distance(own.king, square + up));
    }
}

template <Color us>
void king_terms(const Side& own, Sum& sum) {
    constexpr int sign = us == Color::white ? 1 : -1;
    const Bitboard king = bit(own.king);
    const Bitboard front = us == Color::white ? king << 8 : king >> 8;
    const Bitboard one = front | files_beside(front);
    const Bitboard two = us == Color::white ? one << 8 : one >> 8;
    sum.add<sign>(Term::shield, 0, count(own.pawns & one));
    sum.add<sign>(Term::shield, 1, count(own.pawns & two));
    int open = 0;
    for (Bitboard files = king | files_beside(king); files != 0;) {
        open += (file_of(pop_lowest(files)) & own.pawns) == 0 ? 1 : 0;
    }
    sum.add<sign>(Term::king_open, 0, open);
}

// What pawns and kings alone decide is the same at most of the positions that follow each other:
// each thread remembers it.
Sum pawn_and_king_terms(const Side& white, const Side& black) {
    struct Remembered {
        Bitboard white_pawns = 0;
        Bitboard black_pawns = 0;
        int kings = 0; // of no position: both on a1
        Sum sum;
    };
    static thread_local std::array<Remembered, 1024> memory;
    const int kings = white.king << 6 | black.king;
    const std::uint64_t mixed = (white.pawns * 0x9e3779b97f4a7c15ULL ^ black.pawns ^
                                 static_cast<std::uint64_t>(kings) << 32) *
                                0xbf58476d1ce4e5b9ULL;
    Remembered& at = memory[mixed >> 54];
    if (at.white_pawns != white.pawns || at.black_pawns != black.pawns || at.kings != kings) {
        at = {white.pawns, black.pawns, kings, {}};
        pawn_terms<Color::white>(white, black, at.sum);
        pawn_terms<Color::black>(black, white, at.sum);
        king_terms<Color::white>(white, at.sum);
        king_terms<Color::black>(black, at.sum);
    }
    return at.sum;
}

template <class Sliders, Color us>
void piece_terms(const Board& board, Side& own, const Side& other, Sum& sum) {
    constexpr int sign = us == Color::white ? 1 : -1;
    const Bitboard occupied = board.occupied();
    const Bitboard room = ~board.of(us) & ~other.prey;
    const Bitboard ring = king_attacks[static_cast<std::size_t>(other.king)];
    own.attacks = own.prey | king_attacks[static_cast<std::size_t>(own.king)];
    const auto each = [&](Role role, auto attacks_from) {
        int squares = 0;
        int hits = 0;
        for (Bitboard set = board.of(us, role); set != 0;) {
            const int square = pop_lowest(set);
            const Bitboard attacks = attacks_from(square);
            sum.piece<sign>(role, us == Color::white ? square : square ^ 56);
            own.attacks |= attacks;
            squares += count(attacks & room);
            hits += count(attacks & ring & ~other.prey);
        }
        const int slot = index(role) - index(Role::knight);
        sum.add<sign>(Term::mobility, slot, squares);
        sum.add<sign>(Term::king_ring, slot, hits);
    };
    each(Role::knight, [](int square) { return knight_attacks[static_cast<std::size_t>(square)]; });
    each(Role::bishop, [&](int square) { return Sliders::bishop(square, occupied); });
    each(Role::rook, [&](int square) { return Sliders::rook(square, occupied); });
    each(Role::queen, [&](int square) {
        return Sliders::bishop(square, occupied) | Sliders::rook(square, occupied);
    });
    for (Bitboard rooks = board.of(us, Role::rook); rooks != 0;) {
        const Bitboard file = file_of(pop_lowest(rooks));
        if ((file & own.pawns) == 0) {
            sum.add<sign>(Term::open_file, (file & other.pawns) == 0 ? 0 : 1, 1);
        }
    }
    for (const Role role : {Role::pawn, Role::king}) {
        for (Bitboard set = board.of(us, role); set != 0;) {
            const int square = pop_lowest(set);
            sum.piece<sign>(role, us == Color::white ? square : square ^ 56);
        }
    }
    if (count(board.of(us, Role::bishop)) >= 2) {
        sum.add<sign>(Term::bishop_pair, 0, 1);
    }
}

template <Color us>
void threat_terms(const Board& board, const Side& own, const Side& other, Sum& sum) {
    constexpr int sign = us == Color::white ? 1 : -1;
    const Bitboard pieces = board.of(!us) & ~board.of(Role::pawn) & ~board.of(Role::king);
    sum.add<sign>(Term::pawn_threat, 0, count(pieces & own.prey));
    sum.add<sign>(
        Term::loose, 0,
        count(board.of(!us) & ~board.of(Role::king) & own.attacks & ~own.prey & ~other.attacks));
}

template <class Sliders>
Sum collect(const chess::Position& position) {
    const Board& board = position.board();
    const Bitboard white_pawns = board.of(Color::white, Role::pawn);
    const Bitboard black_pawns = board.of(Color::black, Role::pawn);
    Side white{white_pawns, pawn_prey<Color::white>(white_pawns), 0,
               king_square(board, Color::white)};
    Side black{black_pawns, pawn_prey<Color::black>(black_pawns), 0,
               king_square(board, Color::black)};
    Sum sum = pawn_and_king_terms(white, black);
    piece_terms<Sliders, Color::white>(board, white, black, sum);
    piece_terms<Sliders, Color::black>(board, black, white, sum);
    threat_terms<Color::white>(board, white, black, sum);
    threat_terms<Color::black>(board, black, white, sum);
    if (position.turn() == Color::white) {
        sum.add<1>(Term::tempo, 0, 1);
    } else {
        sum.add<-1>(Term::tempo, 0, 1);
    }
    return sum;
}

constexpr int whole_phase = 24; // all pieces

int phase_of(const Board& board) {
    const int phase = count(board.of(Role::knight) | board.of(Role::bishop)) +
                      2 * count(board.of(Role::rook)) + 4 * count(board.of(Role::queen));
    return std::min(phase, whole_phase);
}

template <class Sliders>
Value evaluated(const chess::Position& position) {
    const Sum sum = collect<Sliders>(position);
    const int phase = phase_of(position.board());
    const Value white = (sum.middle * phase + sum.end * (whole_phase - phase)) / whole_phase;
    return position.turn() == Color::white ? white : -white;
}

} // namespace

using Evaluate = Value (*)(const chess::Position&);
// Null where the compiler does not target x86-64.
extern const Evaluate evaluate_with_bmi2;

} // namespace adjourn::search
