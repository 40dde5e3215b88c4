// The file of a collection: a header, records sorted by position and move, the texts of best
// games, the sources. Numbers as the machine has them (little-endian).
#pragma once

#include "base/unique_fd.hpp"
#include "files/collections/collection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace adjourn::collections {

static_assert(std::endian::native == std::endian::little);

struct Record {
    std::uint64_t position = 0;  // chess::Position::hash()
    std::uint64_t game : 48 = 0; // where the best game's text begins among the games
    std::uint64_t elo : 16 = 0;  // of the best game: the mean
    std::uint32_t white = 0;
    std::uint32_t draws = 0;
    std::uint32_t black = 0;
    std::uint16_t move = 0; // chess::Move::raw()
    std::uint16_t year = 0; // the last one
    // Not in files of version 1.
    std::uint64_t elos : 40 = 0;  // the means of the games that are rated, added up
    std::uint64_t rated : 24 = 0; // games with the Elo of both players; of more than fit, the first

    auto place() const { return std::tuple{position, move}; }
    std::uint64_t games() const { return std::uint64_t{white} + draws + black; }

    // Another record of the same move: `later` in the files.
    void add(const Record& later) {
        const auto sum = [](std::uint32_t a, std::uint32_t b) {
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(
                std::uint64_t{a} + b, std::numeric_limits<std::uint32_t>::max()));
        };
        white = sum(white, later.white);
        draws = sum(draws, later.draws);
        black = sum(black, later.black);
        year = std::max(year, later.year);
        if (std::uint64_t{rated} + later.rated < (std::uint64_t{1} << 24)) {
            rated += later.rated;
            elos += later.elos;
        }
        if (later.elo > elo) {
            elo = later.elo;
            game = later.game;
        }
    }
};
static_assert(sizeof(Record) == 40);
inline constexpr std::size_t record_bytes_of_1 = 32; // the same bytes, without the last eight

struct Header {
    std::array<char, 16> magic = {'a', 'd', 'j', 'o', 'u', 'r', 'n', ' ',
                                  'g', 'a', 'm', 'e', 's', ' ', '3', '\n'};
    std::uint64_t records = 0;
    std::uint64_t games_bytes = 0;
    std::uint64_t sources_bytes = 0;
    std::uint64_t games = 0;

    // Of a file that can be read: of this version, or of one of the two before.
    bool known() const {
        return magic == Header{}.magic || magic == magic_of('2') || magic == magic_of('1');
    }
    std::size_t record_bytes() const {
        return magic == magic_of('1') ? record_bytes_of_1 : sizeof(Record);
    }
    bool sources_say_whole() const { return magic == Header{}.magic; }
    std::uint64_t games_at() const { return sizeof(Header) + records * record_bytes(); }
    std::uint64_t sources_at() const { return games_at() + games_bytes; }
    std::uint64_t bytes() const { return sources_at() + sources_bytes; }

private:
    static std::array<char, 16> magic_of(char version) {
        auto magic = Header{}.magic;
        magic[14] = version;
        return magic;
    }
};
static_assert(sizeof(Header) == 48);

// The texts in the file of a collection: best games and sources.

inline constexpr std::size_t longest_game_text = 256; // bytes

// Names are cut so that it fits.
std::string game_text(const KnownGame& game);
// Of what begins with a game's text. Empty names where it is none.
KnownGame game_of(std::string_view text);

std::string sources_text(const std::vector<Source>& sources);
// What can be read of it. `say_whole`: whether they say so (Header::sources_say_whole).
std::vector<Source> sources_of(std::string_view text, bool say_whole);

// Reading and writing at places of a file.

// Bytes that were there, up to `size`. Throws std::runtime_error if the disk fails.
std::size_t read_at(int file, std::uint64_t at, void* to, std::size_t size);
// Throws std::runtime_error, that the disk is full for example.
void write_all(int file, const void* from, std::size_t size);

// Throws std::runtime_error.
base::UniqueFd create_file(const std::filesystem::path& file);

} // namespace adjourn::collections
