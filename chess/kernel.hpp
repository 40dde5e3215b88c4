// Kernel: move generation and perft compiled for one instruction set; kernel() is the fastest one
// that this machine runs.
#pragma once

#include "chess/detail/bitboard.hpp"

#include <cstdint>

namespace adjourn::chess::detail {

struct Kernel {
    const char* name;
    // Writes the legal moves of the pieces in `movers` to the squares in `allowed` (castling: the
    // rook's square) in Move's raw form; returns the end. `out` has room for 256.
    std::uint16_t* (*generate)(const Board& board, Color turn, Bitboard movers, Bitboard allowed,
                               std::uint16_t* out);
    int (*count)(const Board& board, Color turn);
    std::uint64_t (*perft)(const Board& board, Color turn, int depth);
};

// Thread-safe; the first call sets up tables (a few ms).
const Kernel& kernel();
// Runs anywhere; for comparison.
const Kernel& portable_kernel();

// What kernel_bmi2.cpp compiled to: null where the compiler doesn't target x86-64. Needs
// has_fast_pext().
extern const Kernel* const compiled_bmi2_kernel;

} // namespace adjourn::chess::detail
