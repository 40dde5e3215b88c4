// Keys of the Polyglot opening-book format.
#pragma once

#include "chess/position.hpp"

#include <cstdint>

namespace adjourn::chess {

// The key under which books file a position. Differs from Position::hash() in two ways: the
// en-passant file counts whenever a pawn of the side to move stands beside the pawn that has just
// moved two, even if taking it is illegal (Position::double_push); and each side's two castling
// rights have one key each, wherever the rook stands (Chess960).
std::uint64_t polyglot_key(const Position& position);

} // namespace adjourn::chess
