// Static exchange: what a move gains in material when both sides go on taking on its square, the
// least valuable piece first, and either may stop. Pieces behind others take part; pins and checks
// are not looked at.
#pragma once

#include "chess/position.hpp"

#include <array>

namespace adjourn::search {

// Centipawns by role; the king's is more than all else together.
inline constexpr std::array<int, 6> exchange_values{100, 320, 330, 500, 950, 20'000};

constexpr int exchange_value(chess::Role role) {
    return exchange_values[static_cast<std::size_t>(role)];
}

// For the mover. Quiet moves count as well: 0 or what is lost on the square. Castling is 0.
// Precondition: the move is legal.
int exchange(const chess::Position& position, chess::Move move);

} // namespace adjourn::search
