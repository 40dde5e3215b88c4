// What the chess tests share: positions from FEN, data files, random games.
#pragma once

#include "chess/notation.hpp"
#include "chess/position.hpp"

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace adjourn::chess::testing {

// Fails the test with the reason if the FEN is refused.
Position position(const std::string& fen);
// Fails the test if the move is not legal.
Move move(const Position& position, const std::string& uci);

// A file of the shared data or its sample; nullopt where it is not there.
std::optional<std::string> shared_file(const std::string& path);
// A file of tests/data/chess; fails the test if it is missing.
std::string own_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

using Random = std::mt19937_64;

// One of the 960 start positions, or (one in four) different ones for White and Black.
Position random_start(Random& random);
// A position some random moves from a standard or Chess960 start.
Position random_position(Random& random, int most_plies);
// Plays random games, half of them Chess960, and shows every position met.
void for_random_positions(int games, int plies, std::uint64_t seed,
                          const std::function<void(const Position&)>& show);

} // namespace adjourn::chess::testing
