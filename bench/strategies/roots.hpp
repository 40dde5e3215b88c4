// Root positions for the comparison: a sample of published test suites.
#pragma once

#include "chess/position.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
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

} // namespace adjourn::bench
