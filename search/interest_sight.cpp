#include "search/interest_sight.hpp"

#include "search/exchange.hpp"

namespace adjourn::search {

using chess::Color;
using chess::Role;
using namespace chess::detail;

InterestSight::InterestSight(const chess::Position& position)
    : position_{position}, checks_{position} {
    const Board& board = position.board();
    const Color us = position.turn();
    const Bitboard occupied = board.occupied();
    const Bitboard own = board.of(us);
    const Bitboard other = board.of(!us);
    checkers_ = all_attackers(board, king_square(board, us), occupied) & other;
    Bitboard undefended = 0; // of the other side
    for (Bitboard set = other & ~board.of(Role::king); set != 0;) {
        const int square = pop_lowest(set);
        if ((all_attackers(board, square, occupied) & other) == 0) {
            undefended |= bit(square);
        }
    }
    Bitboard more = other & ~board.of(Role::king);
    for (int role = 0; role < 6; ++role) {
        more &= ~board.of(static_cast<Role>(role));
        prey_[static_cast<std::size_t>(role)] = more | undefended;
    }
    for (Bitboard set = own & ~board.of(Role::king); set != 0;) {
        const int square = pop_lowest(set);
        const Bitboard attackers = all_attackers(board, square, occupied);
        const Bitboard enemies = attackers & other;
        if (enemies == 0) {
            continue;
        }
        const Bitboard guards = attackers & own;
        const Role role = role_on(board, chess::Square{square});
        Bitboard lesser = 0;
        for (int k = 0; k < static_cast<int>(role); ++k) {
            lesser |= enemies & board.of(static_cast<Role>(k));
        }
        if (guards == 0 || lesser != 0) {
            threatened_ |= bit(square);
            threats_ |= guards == 0 ? enemies : lesser;
        }
        if (guards != 0 && !several(guards)) {
            ties_ |= guards;
        }
    }
}

bool InterestSight::attacks(Role role, chess::Move move) const {
    const Bitboard occupied = position_.board().occupied();
    const Color us = position_.turn();
    const Bitboard prey = prey_[static_cast<std::size_t>(role)];
    const Bitboard before = attacks_from(role, us, move.from().index(), occupied);
    const Bitboard after =
        attacks_from(role, us, move.to().index(), occupied & ~bit_of(move.from()));
    return (after & prey & ~before & ~bit_of(move.to())) != 0;
}

bool InterestSight::pins(Role role, chess::Move move) const {
    if (role != Role::bishop && role != Role::rook && role != Role::queen) {
        return false;
    }
    const Board& board = position_.board();
    const Color them = !position_.turn();
    const int to = move.to().index();
    const Bitboard occupied = (board.occupied() & ~bit_of(move.from())) | bit_of(move.to());
    const Bitboard seen = attacks_from(role, !them, to, occupied);
    for (Bitboard fronts = seen & board.of(them) & ~board.of(Role::king); fronts != 0;) {
        const int front = pop_lowest(fronts);
        const Role shield = role_on(board, chess::Square{front});
        for (Bitboard set =
                 attacks_from(role, !them, to, occupied & ~bit(front)) & ~seen & board.of(them);
             set != 0;) {
            const int behind = pop_lowest(set);
            if (exchange_value(role_on(board, chess::Square{behind})) > exchange_value(shield)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace adjourn::search
