#include "chess/detail/bitboard.hpp"

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

} // namespace

constexpr BetweenTable between = between_table();

} // namespace adjourn::chess::detail
