// Root positions for the comparison: a sample of published test suites.
#pragma once

#include "bench/strategies/oracle.hpp"
#include "chess/position.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::bench {

// The positions of an EPD (or FEN) stream that have a legal move. Lines that are no record are
// skipped; operations are not looked at.
std::vector<chess::Position> read_positions(std::istream& in);
// Throws std::runtime_error if the file cannot be read.
std::vector<chess::Position> read_positions(const std::filesystem::path& file);

// All positions, each once, in an order that takes one of each suite in turn; within a suite the
// order is drawn by the seed.
std::vector<chess::Position> mixed(std::vector<std::vector<chess::Position>> suites,
                                   std::uint64_t seed);

// What a root is asked before it takes part. A question is contested if two moves at least are
// within `distance` of each other and neither side is winning: elsewhere every method gives the
// same answer and nothing is measured.
struct RootFilter {
    analysis::Limit limit;
    int distance = 30;     // cp
    int most = 250;        // cp: the best move's score lies within ±most
    std::size_t moves = 4; // look at no more than so many moves
};
struct Root {
    chess::Position position;
    std::vector<chess::Move> candidates; // within the distance, best first; ≥ 2, ≤ filter.moves
};
std::optional<Root> contested(const chess::Position& position, const RootFilter& filter,
                              Oracle& oracle);

} // namespace adjourn::bench
