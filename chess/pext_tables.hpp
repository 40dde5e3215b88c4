// Tables of slider attacks indexed by PEXT(occupied, mask). Filled once, by portable code.
#pragma once

#include "chess/detail/bitboard.hpp"

namespace adjourn::chess::detail {

struct PextEntry {
    Bitboard mask; // squares whose occupation matters: the rays without their last squares
    const Bitboard* attacks;
};

struct PextTables {
    PextEntry rook[64];
    PextEntry bishop[64];
};

extern PextTables pext_tables;

// Call once before the tables are used; not thread-safe.
void fill_pext_tables();

} // namespace adjourn::chess::detail
