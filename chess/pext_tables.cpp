#include "chess/pext_tables.hpp"

#include "chess/detail/sliders.hpp"

namespace adjourn::chess::detail {

PextTables pext_tables;

namespace {

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

} // namespace

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

} // namespace adjourn::chess::detail
