// What a man attacks, for code that knows its role only at run time.
#pragma once

#include "chess/detail/attacks.hpp"
#include "chess/detail/sliders.hpp"

namespace adjourn::chess::detail {

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
