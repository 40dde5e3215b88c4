// Moves of a few men, on their squares alone; what a retrograde analysis makes by the thousand
// million.
#pragma once

#include "chess/endgame/table_index.hpp"
#include "endgame/role_attacks.hpp"

#include <cstddef>
#include <vector>

namespace adjourn::chess::detail {

class TableMoves {
public:
    using Squares = TableIndex::Squares;
    explicit TableMoves(const std::vector<Piece>& pieces) : pieces_{pieces} {}

    struct Step {
        std::size_t piece;
        std::uint8_t to;
        int captured = -1;     // index of the piece taken
        bool promotes = false; // to whatever the caller likes
        bool doubles = false;  // a pawn moves two squares
    };

    Bitboard occupied(const Squares& at) const {
        Bitboard all = 0;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            all |= bit(at[i]);
        }
        return all;
    }

    // Each man on a square of its own, no pawn on the last ranks, and the side not to move not in
    // check.
    bool legal(const Squares& at, Color turn) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].role == Role::pawn && (at[i] < 8 || at[i] >= 56)) {
                return false;
            }
        }
        const Bitboard all = occupied(at);
        return static_cast<std::size_t>(count(all)) == pieces_.size() &&
               !attacked(at, all, king(!turn), turn, at[king(!turn)]);
    }
    bool in_check(const Squares& at, Color turn) const {
        return attacked(at, occupied(at), king(turn), !turn, at[king(turn)]);
    }

    // Legal moves of a side, whether or not it is its turn; `see` returns whether to go on. No en
    // passant.
    template <class See>
    bool for_each(const Squares& at, Color mover, bool captures_only, See see) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != mover) {
                continue;
            }
            Bitboard targets = reach(i, at[i], all);
            if (pieces_[i].role == Role::pawn && !captures_only) {
                targets |= pushes(mover, at[i], all);
            }
            if (captures_only) {
                targets &= all;
            }
            while (targets != 0) {
                const int to = pop_lowest(targets);
                Step step{i, static_cast<std::uint8_t>(to)};
                if ((all & bit(to)) != 0) {
                    step.captured = piece_on(at, to);
                    const Piece& prey = pieces_[static_cast<std::size_t>(step.captured)];
                    if (prey.color == mover || prey.role == Role::king) {
                        continue;
                    }
                }
                if (!safe_after(at, all, mover, step)) {
                    continue;
                }
                if (pieces_[i].role == Role::pawn) {
                    step.promotes = to < 8 || to >= 56;
                    step.doubles = to - at[i] == 16 || at[i] - to == 16;
                }
                if (!see(step)) {
                    return false;
                }
            }
        }
        return true;
    }

    // Whence the men of `mover` may have come by a move that takes and promotes nothing. The
    // position before need not be legal.
    template <class See>
    void for_each_back(const Squares& at, Color mover, See see) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != mover) {
                continue;
            }
            Bitboard sources = 0;
            if (pieces_[i].role == Role::pawn) {
                const int back = mover == Color::white ? -8 : 8;
                const int one = at[i] + back;
                if (one >= 8 && one < 56 && (all & bit(one)) == 0) {
                    sources |= bit(one);
                    const int start = mover == Color::white ? 1 : 6;
                    const int two = one + back;
                    if (two >> 3 == start && (all & bit(two)) == 0) {
                        sources |= bit(two);
                    }
                }
            } else {
                sources = reach(i, at[i], all) & ~all;
            }
            while (sources != 0) {
                Squares before = at;
                before[i] = static_cast<std::uint8_t>(pop_lowest(sources));
                see(before);
            }
        }
    }

    // Whether a pawn of `mover` may take the pawn of index `passed`, that has just moved two
    // squares, en passant; by which piece, or -1.
    int en_passant_taker(const Squares& at, Color mover, std::size_t passed, int* to) const {
        const Bitboard all = occupied(at);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i] == Piece{mover, Role::pawn} && at[i] >> 3 == at[passed] >> 3 &&
                (at[i] - at[passed] == 1 || at[passed] - at[i] == 1)) {
                *to = at[passed] + (mover == Color::white ? 8 : -8);
                const Step step{i, static_cast<std::uint8_t>(*to), static_cast<int>(passed)};
                if (safe_after(at, all & ~bit(at[passed]), mover, step)) {
                    return static_cast<int>(i);
                }
            }
        }
        return -1;
    }

private:
    std::size_t king(Color color) const { return color == Color::white ? 0 : 1; }

    int piece_on(const Squares& at, int square) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (at[i] == square) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }

    // Squares attacked by the piece of index i from `from`.
    Bitboard reach(std::size_t i, int from, Bitboard all) const {
        const auto [color, role] = pieces_[i];
        const Bitboard attacked = role_attacks(role, color, from, all);
        return role == Role::pawn ? attacked & all : attacked;
    }

    static Bitboard pushes(Color mover, int from, Bitboard all) {
        const int forward = mover == Color::white ? 8 : -8;
        Bitboard targets = bit(from + forward) & ~all;
        if (targets != 0 && from >> 3 == (mover == Color::white ? 1 : 6)) {
            targets |= bit(from + 2 * forward) & ~all;
        }
        return targets;
    }

    // Whether `by` attacks the square; the piece of index `gone` is not there.
    bool attacked(const Squares& at, Bitboard all, std::size_t gone, Color by, int square) const {
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            if (pieces_[i].color != by || i == gone) {
                continue;
            }
            const Bitboard hits = pieces_[i].role == Role::pawn ? pawn_attacks[index(by)][at[i]]
                                                                : reach(i, at[i], all);
            if ((hits & bit(square)) != 0) {
                return true;
            }
        }
        return false;
    }

    bool safe_after(const Squares& at, Bitboard all, Color mover, const Step& step) const {
        const std::size_t own = king(mover);
        const int square = step.piece == own ? step.to : at[own];
        const Bitboard then = (all & ~bit(at[step.piece])) | bit(step.to);
        const std::size_t gone =
            step.captured >= 0 ? static_cast<std::size_t>(step.captured) : pieces_.size();
        return !attacked(at, then, gone, !mover, square);
    }

    const std::vector<Piece>& pieces_;
};

} // namespace adjourn::chess::detail
