#include "search/board_sight.hpp"

namespace adjourn::search {

using chess::Color;
using chess::MoveKind;
using chess::Role;
using namespace chess::detail;

Bitboard attacks_from(Role role, Color color, int square, Bitboard occupied) {
    const auto at = static_cast<std::size_t>(square);
    switch (role) {
    case Role::pawn: return pawn_attacks[static_cast<std::size_t>(color)][at];
    case Role::knight: return knight_attacks[at];
    case Role::bishop: return PortableSliders::bishop(square, occupied);
    case Role::rook: return PortableSliders::rook(square, occupied);
    case Role::queen:
        return PortableSliders::bishop(square, occupied) | PortableSliders::rook(square, occupied);
    case Role::king: break;
    }
    return king_attacks[at];
}

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

} // namespace adjourn::search
