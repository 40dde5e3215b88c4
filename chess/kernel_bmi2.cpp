// The kernel for machines with fast BMI2: slider attacks by PEXT into tables. CMake compiles this
// file with those instructions switched on, so it must share no out-of-line function with other
// files: everything here is a template on PextSliders, local, or always inlined.

#if defined(__x86_64__) && defined(__BMI2__) && defined(__POPCNT__)

#include "chess/kernel.hpp"
#include "chess/movegen.hpp"

#include <immintrin.h>

namespace adjourn::chess::detail {

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

using Functions = KernelFunctions<PextSliders>;

constexpr Kernel kernel_with_bmi2{"bmi2", Functions::generate, Functions::count, Functions::perft};

} // namespace

constinit const Kernel* const compiled_bmi2_kernel = &kernel_with_bmi2;

} // namespace adjourn::chess::detail

#else

namespace adjourn::chess::detail {

constinit const Kernel* const compiled_bmi2_kernel = nullptr;

} // namespace adjourn::chess::detail

#endif
