#include "chess/kernel.hpp"

#include "chess/detail/pext.hpp"
#include "chess/detail/sliders.hpp"
#include "chess/movegen.hpp"

namespace adjourn::chess::detail {

namespace {

constexpr BetweenTable between_table() {
    BetweenTable table{};
    for (int from = 0; from < 64; ++from) {
        for (int file_step = -1; file_step <= 1; ++file_step) {
            for (int rank_step = -1; rank_step <= 1; ++rank_step) {
                if (file_step == 0 && rank_step == 0) {
                    continue;
                }
                Bitboard passed = 0;
                int file = (from & 7) + file_step;
                int rank = (from >> 3) + rank_step;
                while (on_board(file, rank)) {
                    table[from][rank * 8 + file] = passed;
                    passed |= bit(rank * 8 + file);
                    file += file_step;
                    rank += rank_step;
                }
            }
        }
    }
    return table;
}

// 2^(relevant squares) summed over the board, for rooks and for bishops.
Bitboard storage[102'400 + 5'248];

// The subsets of a mask in ascending order are just those with PEXT = 0, 1, 2, …
template <class Attacks>
Bitboard* fill(PextEntry& entry, Bitboard mask, Bitboard* at, Attacks attacks) {
    entry = {mask, at};
    Bitboard subset = 0;
    do {
        *at++ = attacks(subset);
        subset = (subset - mask) & mask;
    } while (subset != 0);
    return at;
}

void fill_pext_tables() {
    Bitboard* at = storage;
    for (int square = 0; square < 64; ++square) {
        const Bitboard own_rank = rank_1 << (square & 56);
        const Bitboard own_file = file_a << (square & 7);
        const Bitboard edges = ((rank_1 | rank_8) & ~own_rank) | ((file_a | file_h) & ~own_file);
        at = fill(pext_tables.rook[square], rook_rays[square] & ~edges, at,
                  [=](Bitboard occupied) { return PortableSliders::rook(square, occupied); });
        at = fill(pext_tables.bishop[square], bishop_rays[square] & ~edges, at,
                  [=](Bitboard occupied) { return PortableSliders::bishop(square, occupied); });
    }
}

// AMD before Zen 3 has PEXT in microcode, some twenty times slower than it is elsewhere.
bool has_fast_bmi2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && !__builtin_cpu_is("amdfam17h") &&
           !__builtin_cpu_is("amdfam15h");
#else
    return false;
#endif
}

} // namespace

constexpr BetweenTable between = between_table();

PextTables pext_tables;

bool has_fast_pext() {
    static const bool fast = [] {
        const bool has = has_fast_bmi2();
        if (has) {
            fill_pext_tables();
        }
        return has;
    }();
    return fast;
}

const Kernel& portable_kernel() {
    using Functions = KernelFunctions<PortableSliders>;
    static constexpr Kernel portable{"portable", Functions::generate, Functions::count,
                                     Functions::perft};
    return portable;
}

const Kernel& kernel() {
    static const Kernel& best = compiled_bmi2_kernel != nullptr && has_fast_pext()
                                    ? *compiled_bmi2_kernel
                                    : portable_kernel();
    return best;
}

} // namespace adjourn::chess::detail
