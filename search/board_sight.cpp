#include "search/board_sight.hpp"

#include <algorithm>

namespace adjourn::search {

using chess::Color;
using chess::MoveKind;
using chess::Role;
using namespace chess::detail;

Bitboard all_attackers(const Board& board, int square, Bitboard occupied) {
    const auto at = static_cast<std::size_t>(square);
    const Bitboard queens = board.of(Role::queen);
    return (pawn_attacks[0][at] & board.of(Color::black, Role::pawn)) |
           (pawn_attacks[1][at] & board.of(Color::white, Role::pawn)) |
           (knight_attacks[at] & board.of(Role::knight)) |
           (king_attacks[at] & board.of(Role::king)) |
           (PortableSliders::rook(square, occupied) & (board.of(Role::rook) | queens)) |
           (PortableSliders::bishop(square, occupied) & (board.of(Role::bishop) | queens));
}

CheckSight::CheckSight(const chess::Position& position)
    : position_{position}, king_{king_square(position.board(), !position.turn())} {
    const Board& board = position.board();
    const Color us = position.turn();
    const Bitboard occupied = board.occupied();
    const auto at = static_cast<std::size_t>(king_);
    direct_[0] = pawn_attacks[static_cast<std::size_t>(!us)][at];
    direct_[1] = knight_attacks[at];
    direct_[2] = PortableSliders::bishop(king_, occupied);
    direct_[3] = PortableSliders::rook(king_, occupied);
    direct_[4] = direct_[2] | direct_[3];
    const Bitboard queens = board.of(Role::queen);
    Bitboard sliders = board.of(us) & ((rook_rays[at] & (board.of(Role::rook) | queens)) |
                                       (bishop_rays[at] & (board.of(Role::bishop) | queens)));
    while (sliders != 0) {
        const Bitboard path = between[at][static_cast<std::size_t>(pop_lowest(sliders))] & occupied;
        if (path != 0 && !several(path)) {
            screens_ |= path & board.of(us);
        }
    }
}

bool CheckSight::gives_check(chess::Move move) const {
    if (move.kind() != MoveKind::normal) {
        return position_.gives_check(move);
    }
    const Role role = role_on(position_.board(), move.from());
    if ((direct_[static_cast<std::size_t>(role)] & bit_of(move.to())) != 0) {
        return true;
    }
    // A screen that stays on the line gives no check.
    return (screens_ & bit_of(move.from())) != 0 && position_.gives_check(move);
}

int exchange(const chess::Position& position, chess::Move move) {
    if (move.kind() == MoveKind::castling) {
        return 0;
    }
    const Board& board = position.board();
    const int to = move.to().index();
    const Bitboard target = bit(to);
    Color side = position.turn();
    Bitboard occupied = board.occupied() & ~bit_of(move.from());
    // gains[i]: what whoever takes i-th has then, if the taking ends there.
    std::array<int, 34> gains;
    std::size_t depth = 0;
    Role on_square = role_on(board, move.from());
    gains[0] = 0;
    if (move.kind() == MoveKind::en_passant) {
        gains[0] = exchange_value(Role::pawn);
        occupied &= ~bit(side == Color::white ? to - 8 : to + 8);
    } else if ((board.of(!side) & target) != 0) {
        gains[0] = exchange_value(role_on(board, move.to()));
    }
    if (move.kind() == MoveKind::promotion) {
        on_square = move.promotion_role();
        gains[0] += exchange_value(on_square) - exchange_value(Role::pawn);
    }
    occupied |= target;
    Bitboard attackers = all_attackers(board, to, occupied) & occupied & ~target;
    const Bitboard lines = board.of(Role::rook) | board.of(Role::queen);
    const Bitboard diagonals = board.of(Role::bishop) | board.of(Role::queen);
    for (;;) {
        side = !side;
        const Bitboard own = attackers & board.of(side);
        if (own == 0) {
            break;
        }
        int role = 0;
        while ((own & board.roles[static_cast<std::size_t>(role)]) == 0) {
            ++role;
        }
        // A king takes only what nobody guards.
        if (static_cast<Role>(role) == Role::king && (attackers & board.of(!side)) != 0) {
            break;
        }
        ++depth;
        gains[depth] = exchange_value(on_square) - gains[depth - 1];
        on_square = static_cast<Role>(role);
        occupied &= ~bit(lowest(own & board.roles[static_cast<std::size_t>(role)]));
        attackers |= (PortableSliders::rook(to, occupied) & lines) |
                     (PortableSliders::bishop(to, occupied) & diagonals);
        attackers &= occupied & ~target;
    }
    for (; depth > 0; --depth) {
        gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
    }
    return gains[0];
}

} // namespace adjourn::search
