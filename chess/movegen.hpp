// Legal move generation, pin-aware, for any consumer of moves (a "sink"). One source for listing,
// counting and walking the tree.
//
// A sink has:
//   piece<role>(from, targets)       every set bit of targets is a move of that piece
//   pawns<delta>(targets)            each from = to - delta; captures and single pushes
//   double_pushes<delta>(targets)
//   promotions<delta>(targets)       four moves each
//   en_passant(from, to)
//   castling(king, rook)
#pragma once

#include "chess/detail/attacks.hpp"

#include <cstdint>

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

// What stands around the king of the side to move.
struct Restrictions {
    Bitboard checkers = 0;
    Bitboard pinned_lines = 0;     // squares of rank and file pins: blockers, gaps and pinner
    Bitboard pinned_diagonals = 0; // the same for diagonal pins
};

// From `snipers`, which stand on the king's rays: those that give check, and the squares of pins.
ADJOURN_INLINE void look_along(Bitboard snipers, int king, Bitboard occupied, Bitboard& pinned,
                               Bitboard& checkers) {
    while (snipers != 0) {
        const int sniper = pop_lowest(snipers);
        const Bitboard path = between[king][sniper];
        const Bitboard blockers = path & occupied;
        if (blockers == 0) {
            checkers |= bit(sniper);
        } else if (!several(blockers)) {
            pinned |= path | bit(sniper);
        }
    }
}

// A piece on a pin line that moves along its own kind of line can't reach another pin line of that
// kind (they meet only in the king), so one set per kind is enough.
template <class Sliders>
ADJOURN_INLINE Restrictions restrictions(const Board& board, Color us, int king) {
    const Color them = !us;
    const Bitboard occupied = board.occupied();
    const Bitboard queens = board.of(Role::queen);
    Restrictions result;
    result.checkers = board.of(them) & ((knight_attacks[king] & board.of(Role::knight)) |
                                        (pawn_attacks[index(us)][king] & board.of(Role::pawn)));
    const Bitboard lines = rook_rays[king] & board.of(them) & (board.of(Role::rook) | queens);
    look_along(lines, king, occupied, result.pinned_lines, result.checkers);
    const Bitboard diagonals =
        bishop_rays[king] & board.of(them) & (board.of(Role::bishop) | queens);
    look_along(diagonals, king, occupied, result.pinned_diagonals, result.checkers);
    return result;
}

template <Color us, class Sliders>
struct Generator {
    static constexpr Color them = !us;
    static constexpr int up = us == Color::white ? 8 : -8;
    static constexpr Bitboard last_rank = back_rank(them);
    static constexpr Bitboard third_rank = us == Color::white ? rank_1 << 16 : rank_1 << 40;

    // Moves of the pieces in `movers` to the squares in `allowed`. Castling counts as the king's
    // move to the rook's square.
    template <class Sink>
    ADJOURN_INLINE static void generate(const Board& board, Bitboard movers, Bitboard allowed,
                                        Sink& sink) {
        const Bitboard own = board.of(us);
        const Bitboard occupied = board.occupied();
        const int king = king_square(board, us);
        const Restrictions limits = restrictions<Sliders>(board, us, king);

        if ((movers & bit(king)) != 0) {
            king_moves(board, king, allowed, sink);
        }
        Bitboard check_mask = ~Bitboard{0};
        if (limits.checkers != 0) {
            if (several(limits.checkers)) {
                return;
            }
            check_mask = between[king][lowest(limits.checkers)] | limits.checkers;
        } else if ((board.castling_rooks & back_rank(us) & allowed) != 0 &&
                   (movers & bit(king)) != 0) {
            castling_moves(board, king, allowed, limits, sink);
        }
        const Bitboard targets = ~own & check_mask & allowed;
        pawn_moves(board, movers, targets, limits, sink);
        if ((board.en_passant & allowed) != 0) {
            en_passant_moves(board, movers, sink);
        }

        const Bitboard pinned = limits.pinned_lines | limits.pinned_diagonals;
        const Bitboard mobile = own & movers;
        for (Bitboard set = board.of(Role::knight) & mobile & ~pinned; set != 0;) {
            const int from = pop_lowest(set);
            sink.template piece<Role::knight>(from, knight_attacks[from] & targets);
        }
        bishop_like<Role::bishop>(board, mobile, occupied, targets, limits, sink);
        rook_like<Role::rook>(board, mobile, occupied, targets, limits, sink);
        queens(board, mobile, occupied, targets, limits, sink);
    }

private:
    template <class Sink>
    ADJOURN_INLINE static void king_moves(const Board& board, int king, Bitboard allowed,
                                          Sink& sink) {
        Bitboard candidates = king_attacks[king] & ~board.of(us) & allowed;
        Bitboard safe = 0;
        const Bitboard without_king = board.occupied() ^ bit(king);
        while (candidates != 0) {
            const int to = pop_lowest(candidates);
            if (attackers<Sliders>(board, them, to, without_king) == 0) {
                safe |= bit(to);
            }
        }
        if (safe != 0) {
            sink.template piece<Role::king>(king, safe);
        }
    }

    template <class Sink>
    ADJOURN_INLINE static void castling_moves(const Board& board, int king, Bitboard allowed,
                                              const Restrictions& limits, Sink& sink) {
        Bitboard rooks = board.castling_rooks & back_rank(us) & allowed;
        while (rooks != 0) {
            const int rook = pop_lowest(rooks);
            const CastlingSquares target = castling_targets(king, rook);
            const Bitboard own_two = bit(king) | bit(rook);
            const Bitboard king_path = between[king][target.king] | bit(target.king);
            const Bitboard rook_path = between[rook][target.rook] | bit(target.rook);
            const Bitboard others = board.occupied() & ~own_two;
            // A rook pinned along the rank would uncover its pinner by castling (Chess960).
            if (((king_path | rook_path) & others) != 0 || (limits.pinned_lines & bit(rook)) != 0) {
                continue;
            }
            bool safe = true;
            for (Bitboard path = king_path & ~bit(king); path != 0 && safe;) {
                safe = attackers<Sliders>(board, them, pop_lowest(path),
                                          board.occupied() ^ bit(king)) == 0;
            }
            if (safe) {
                sink.castling(king, rook);
            }
        }
    }

    template <class Sink>
    ADJOURN_INLINE static void pawn_moves(const Board& board, Bitboard movers, Bitboard targets,
                                          const Restrictions& limits, Sink& sink) {
        const Bitboard pawns = board.of(Role::pawn) & board.of(us) & movers;
        const Bitboard empty = ~board.occupied();

        const Bitboard pushers = pawns & ~limits.pinned_diagonals;
        const Bitboard single = (shift<up>(pushers & ~limits.pinned_lines) |
                                 (shift<up>(pushers & limits.pinned_lines) & limits.pinned_lines)) &
                                empty;
        const Bitboard twice = shift<up>(single & third_rank) & empty & targets;

        const Bitboard takers = pawns & ~limits.pinned_lines;
        const Bitboard pinned_takers = takers & limits.pinned_diagonals;
        const Bitboard free_takers = takers ^ pinned_takers;
        const Bitboard victims = board.of(them) & targets;
        const Bitboard west = (shift<up - 1>(free_takers & ~file_a) |
                               (shift<up - 1>(pinned_takers & ~file_a) & limits.pinned_diagonals)) &
                              victims;
        const Bitboard east = (shift<up + 1>(free_takers & ~file_h) |
                               (shift<up + 1>(pinned_takers & ~file_h) & limits.pinned_diagonals)) &
                              victims;
        const Bitboard pushes = single & targets;

        sink.template pawns<up>(pushes & ~last_rank);
        sink.template double_pushes<2 * up>(twice);
        sink.template pawns<up - 1>(west & ~last_rank);
        sink.template pawns<up + 1>(east & ~last_rank);
        if (((pushes | west | east) & last_rank) != 0) {
            sink.template promotions<up>(pushes & last_rank);
            sink.template promotions<up - 1>(west & last_rank);
            sink.template promotions<up + 1>(east & last_rank);
        }
    }

    template <class Sink>
    ADJOURN_INLINE static void en_passant_moves(const Board& board, Bitboard movers, Sink& sink) {
        const int to = lowest(board.en_passant);
        Bitboard pawns = pawn_attacks[index(them)][to] & board.of(us, Role::pawn) & movers;
        while (pawns != 0) {
            const int from = pop_lowest(pawns);
            if (en_passant_is_safe<Sliders>(board, us, from, to)) {
                sink.en_passant(from, to);
            }
        }
    }

    template <Role role, class Sink>
    ADJOURN_INLINE static void bishop_like(const Board& board, Bitboard mobile, Bitboard occupied,
                                           Bitboard targets, const Restrictions& limits,
                                           Sink& sink) {
        for (Bitboard set = board.of(role) & mobile & ~limits.pinned_lines; set != 0;) {
            const int from = pop_lowest(set);
            Bitboard to = Sliders::bishop(from, occupied) & targets;
            if ((limits.pinned_diagonals & bit(from)) != 0) {
                to &= limits.pinned_diagonals;
            }
            sink.template piece<role>(from, to);
        }
    }

    template <Role role, class Sink>
    ADJOURN_INLINE static void rook_like(const Board& board, Bitboard mobile, Bitboard occupied,
                                         Bitboard targets, const Restrictions& limits, Sink& sink) {
        for (Bitboard set = board.of(role) & mobile & ~limits.pinned_diagonals; set != 0;) {
            const int from = pop_lowest(set);
            Bitboard to = Sliders::rook(from, occupied) & targets;
            if ((limits.pinned_lines & bit(from)) != 0) {
                to &= limits.pinned_lines;
            }
            sink.template piece<role>(from, to);
        }
    }

    template <class Sink>
    ADJOURN_INLINE static void queens(const Board& board, Bitboard mobile, Bitboard occupied,
                                      Bitboard targets, const Restrictions& limits, Sink& sink) {
        for (Bitboard set = board.of(Role::queen) & mobile; set != 0;) {
            const int from = pop_lowest(set);
            Bitboard to = 0;
            if ((limits.pinned_diagonals & bit(from)) == 0) {
                to |= Sliders::rook(from, occupied);
                if ((limits.pinned_lines & bit(from)) != 0) {
                    to &= limits.pinned_lines;
                }
            }
            if ((limits.pinned_lines & bit(from)) == 0) {
                Bitboard slant = Sliders::bishop(from, occupied);
                if ((limits.pinned_diagonals & bit(from)) != 0) {
                    slant &= limits.pinned_diagonals;
                }
                to |= slant;
            }
            sink.template piece<Role::queen>(from, to & targets);
        }
    }
};

// Consumers of generated moves: listing, counting, walking the tree.

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
