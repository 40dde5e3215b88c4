// The file of a collection: a header, records sorted by position and move, the texts of best
// games, the sources. Numbers as the machine has them (little-endian).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

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

} // namespace adjourn::collections
