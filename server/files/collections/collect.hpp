// From games to a collection.
#pragma once

#include "chess/pgn.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::collections {

struct CollectOptions {
    std::size_t plies = 40;           // of each game
    int least_elo = 0;                // of both players; above 0, games without them are left out
    std::string player = {};          // only moves by who has one of these names (base/text.hpp)
    std::size_t least_games = 1;      // positions with fewer games are left out
    std::size_t threads = 0;          // 0: one for each core
    std::size_t part = 4u << 20;      // bytes of text that a thread reads at a time
    std::size_t in_memory = 4u << 20; // moves that are held before they go into the file
    // Told how many games and bytes of text have been read; false ends it all.
    std::function<bool(std::uint64_t games, std::uint64_t bytes)> progress;
};

inline constexpr std::size_t most_told = 100; // damaged games

struct CollectReport {
    std::uint64_t games = 0;             // taken
    std::uint64_t moves = 0;             // of these, as far as `plies`
    std::uint64_t without_result = 0;    // left out: they have none, or it is open
    std::uint64_t too_weak = 0;          // left out: least_elo
    std::uint64_t damaged = 0;           // left out: they cannot be read as far as `plies`
    std::vector<chess::PgnError> errors; // of these, the first ones
    bool known = false; // the same file is in the collection already: nothing was done
};

// Of all bytes, so that no file is counted twice; never 0. Of what is no regular file nothing is
// known: 0.
std::uint64_t fingerprint_of_file(const std::filesystem::path& file);
std::uint64_t fingerprint_of_text(std::string_view text);

// Adds the main lines of a PGN text to the collection in `file`, which is made if it is not there.
// All or nothing: the new file replaces the old one at the end. Games count whose result is known.
// Those that are damaged are told and left out. `name` and `fingerprint` are of the text. Blocks;
// one at a time for each file, by a lock beside it. Or why not: another one is at work, it was
// ended, the disk is full, or the old file cannot be read.
std::expected<CollectReport, std::string> collect(std::istream& pgn, const std::string& name,
                                                  std::uint64_t fingerprint,
                                                  const std::filesystem::path& file,
                                                  const CollectOptions& options);

} // namespace adjourn::collections
