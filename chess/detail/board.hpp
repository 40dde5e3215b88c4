// Board: how Position stores the pieces. Public because Position holds one by value, and for
// search/, which looks at millions of positions a second; no other room has business with it.
#pragma once

#include "chess/types.hpp"

#include <array>
#include <cstdint>

namespace adjourn::chess::detail {

using Bitboard = std::uint64_t; // bit n = square n, a1 = 0

// Bitboards by role and by colour. Between moves `en_passant` holds a square only if a capture
// there is legal, and `castling_rooks` only rooks whose king has not moved either.
struct Board {
    std::array<Bitboard, 6> roles{};
    std::array<Bitboard, 2> colors{};
    Bitboard castling_rooks = 0;
    Bitboard en_passant = 0; // at most one bit

    constexpr Bitboard occupied() const { return colors[0] | colors[1]; }
    constexpr Bitboard of(Color color) const { return colors[static_cast<int>(color)]; }
    constexpr Bitboard of(Role role) const { return roles[static_cast<int>(role)]; }
    constexpr Bitboard of(Color color, Role role) const { return of(color) & of(role); }

    friend constexpr bool operator==(const Board&, const Board&) = default;
};

} // namespace adjourn::chess::detail
