// Attacks of rook and bishop by PEXT into tables, for machines on which that is fast. Who uses the
// sliders is compiled with BMI2 switched on, so it must share no out-of-line function with other
// files.
#pragma once

#include "chess/detail/bitboard.hpp"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace adjourn::chess::detail {

// Indexed by PEXT(occupied, mask).
struct PextEntry {
    Bitboard mask; // squares whose occupation matters: the rays without their last squares
    const Bitboard* attacks;
};

struct PextTables {
    PextEntry rook[64];
    PextEntry bishop[64];
};

// Filled by the first call of has_fast_pext(), by portable code.
extern PextTables pext_tables;

// Whether this machine has PEXT, and the instructions that come with it, and is fast at it.
// Thread-safe; the first call takes a few ms.
bool has_fast_pext();

#if defined(__BMI2__)
namespace {

struct PextSliders {
    ADJOURN_INLINE static Bitboard rook(int square, Bitboard occupied) {
        const PextEntry& entry = pext_tables.rook[square];
        return entry.attacks[_pext_u64(occupied, entry.mask)];
    }
    ADJOURN_INLINE static Bitboard bishop(int square, Bitboard occupied) {
        const PextEntry& entry = pext_tables.bishop[square];
        return entry.attacks[_pext_u64(occupied, entry.mask)];
    }
};

} // namespace
#endif

} // namespace adjourn::chess::detail
