// Who attacks what, on a board of 64 squares that need not be a position.
#pragma once

#include "chess/position.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace adjourn::analysis {

using Pieces = std::array<std::optional<chess::Piece>, 64>; // by Square::index()

Pieces pieces_of(const chess::Position& position);

// Usual worth in pawns; a king is worth more than all else.
int worth(chess::Role role);

// Pieces of `by` that attack the square, pinned or not; a bit per square.
std::uint64_t attackers_of(const Pieces& pieces, chess::Square square, chess::Color by);

} // namespace adjourn::analysis
