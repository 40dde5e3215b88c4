#include "search/exchange.hpp"

#include "search/board_sight.hpp"

#include <algorithm>

namespace adjourn::search {

using chess::Color;
using chess::MoveKind;
using chess::Role;
using namespace chess::detail;

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
