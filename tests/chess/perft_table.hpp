// Tables of node counts, in the two formats that are about.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::chess::testing {

struct PerftEntry {
    std::string fen;
    std::vector<std::pair<int, std::uint64_t>> counts; // depth, nodes
};

// "FEN;D1 20;D2 400" (semicolons and blanks as they come), or paragraphs of "epd FEN" and
// "perft 1 20".
std::vector<PerftEntry> read_perft_table(const std::string& text);

} // namespace adjourn::chess::testing
