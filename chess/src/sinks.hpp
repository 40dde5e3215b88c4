// Consumers of generated moves: listing, counting, walking the tree.
#pragma once

#include "movegen.hpp"

#include <cstdint>

namespace adjourn::chess::detail {

// Spelled out rather than through Move, so that the kernels share no inline function with the rest.
ADJOURN_INLINE constexpr std::uint16_t raw_move(MoveKind kind, int from, int to,
                                                Role role = Role::knight) {
    return static_cast<std::uint16_t>(from | to << 6 | (index(role) - index(Role::knight)) << 12 |
                                      static_cast<int>(kind) << 14);
}

// Writes Move's raw form.
struct ListSink {
    std::uint16_t* out;

    template <Role>
    ADJOURN_INLINE void piece(int from, Bitboard targets) {
        while (targets != 0) {
            *out++ = raw_move(MoveKind::normal, from, pop_lowest(targets));
        }
    }
    template <int delta>
    ADJOURN_INLINE void pawns(Bitboard targets) {
        while (targets != 0) {
            const int to = pop_lowest(targets);
            *out++ = raw_move(MoveKind::normal, to - delta, to);
        }
    }
    template <int delta>
    ADJOURN_INLINE void double_pushes(Bitboard targets) {
        pawns<delta>(targets);
    }
    template <int delta>
    ADJOURN_INLINE void promotions(Bitboard targets) {
        while (targets != 0) {
            const int to = pop_lowest(targets);
            *out++ = raw_move(MoveKind::promotion, to - delta, to, Role::queen);
            *out++ = raw_move(MoveKind::promotion, to - delta, to, Role::rook);
            *out++ = raw_move(MoveKind::promotion, to - delta, to, Role::bishop);
            *out++ = raw_move(MoveKind::promotion, to - delta, to, Role::knight);
        }
    }
    ADJOURN_INLINE void en_passant(int from, int to) {
        *out++ = raw_move(MoveKind::en_passant, from, to);
    }
    ADJOURN_INLINE void castling(int king, int rook) {
        *out++ = raw_move(MoveKind::castling, king, rook);
    }
};

struct CountSink {
    int moves = 0;

    template <Role>
    ADJOURN_INLINE void piece(int, Bitboard targets) {
        moves += count(targets);
    }
    template <int>
    ADJOURN_INLINE void pawns(Bitboard targets) {
        moves += count(targets);
    }
    template <int>
    ADJOURN_INLINE void double_pushes(Bitboard targets) {
        moves += count(targets);
    }
    template <int>
    ADJOURN_INLINE void promotions(Bitboard targets) {
        moves += 4 * count(targets);
    }
    ADJOURN_INLINE void en_passant(int, int) { ++moves; }
    ADJOURN_INLINE void castling(int, int) { ++moves; }
};

template <Color us, class Sliders>
int count_moves(const Board& board) {
    CountSink sink;
    Generator<us, Sliders>::generate(board, ~Bitboard{0}, ~Bitboard{0}, sink);
    return sink.moves;
}

template <Color us, class Sliders>
std::uint64_t perft_below(const Board& board, int depth);

// Plays every move and adds up what is below it. `depth` is that of the positions reached, ≥ 1.
template <Color us, class Sliders>
struct PerftSink {
    const Board& board;
    int depth;
    std::uint64_t nodes = 0;

    ADJOURN_INLINE void descend(const Board& child) {
        nodes += perft_below<!us, Sliders>(child, depth);
    }

    template <Role role>
    ADJOURN_INLINE void piece(int from, Bitboard targets) {
        while (targets != 0) {
            Board child = board;
            make_piece(child, us, role, role, from, pop_lowest(targets));
            descend(child);
        }
    }
    template <int delta>
    ADJOURN_INLINE void pawns(Bitboard targets) {
        while (targets != 0) {
            const int to = pop_lowest(targets);
            Board child = board;
            make_piece(child, us, Role::pawn, Role::pawn, to - delta, to);
            descend(child);
        }
    }
    template <int delta>
    ADJOURN_INLINE void double_pushes(Bitboard targets) {
        while (targets != 0) {
            const int to = pop_lowest(targets);
            Board child = board;
            make_double_push<Sliders>(child, us, to - delta, to);
            descend(child);
        }
    }
    template <int delta>
    ADJOURN_INLINE void promotions(Bitboard targets) {
        while (targets != 0) {
            const int to = pop_lowest(targets);
            for (const Role role : {Role::queen, Role::rook, Role::bishop, Role::knight}) {
                Board child = board;
                make_piece(child, us, Role::pawn, role, to - delta, to);
                descend(child);
            }
        }
    }
    ADJOURN_INLINE void en_passant(int from, int to) {
        Board child = board;
        make_en_passant(child, us, from, to);
        descend(child);
    }
    ADJOURN_INLINE void castling(int king, int rook) {
        Board child = board;
        make_castling(child, us, king, rook);
        descend(child);
    }
};

template <Color us, class Sliders>
std::uint64_t perft_below(const Board& board, int depth) {
    if (depth == 1) {
        return static_cast<std::uint64_t>(count_moves<us, Sliders>(board));
    }
    PerftSink<us, Sliders> sink{board, depth - 1};
    Generator<us, Sliders>::generate(board, ~Bitboard{0}, ~Bitboard{0}, sink);
    return sink.nodes;
}

template <class Sliders>
struct KernelFunctions {
    static std::uint16_t* generate(const Board& board, Color turn, Bitboard movers,
                                   Bitboard allowed, std::uint16_t* out) {
        ListSink sink{out};
        if (turn == Color::white) {
            Generator<Color::white, Sliders>::generate(board, movers, allowed, sink);
        } else {
            Generator<Color::black, Sliders>::generate(board, movers, allowed, sink);
        }
        return sink.out;
    }
    static int count(const Board& board, Color turn) {
        return turn == Color::white ? count_moves<Color::white, Sliders>(board)
                                    : count_moves<Color::black, Sliders>(board);
    }
    static std::uint64_t perft(const Board& board, Color turn, int depth) {
        if (depth <= 0) {
            return 1;
        }
        return turn == Color::white ? perft_below<Color::white, Sliders>(board, depth)
                                    : perft_below<Color::black, Sliders>(board, depth);
    }
};

} // namespace adjourn::chess::detail
