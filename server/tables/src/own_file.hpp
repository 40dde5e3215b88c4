// The file of one of our own tables, "KRvK.adt": docs/internals/endgame-tables.md.
#pragma once

#include "chess/endgame/endgame_table.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace adjourn::tables {

inline constexpr const char* own_extension = ".adt";

std::vector<std::uint8_t> write_own(const chess::EndgameTable& table);

// The codes of a table, packed; proven to be those of a whole file by their checksum.
struct OwnFile {
    chess::Material material;
    std::uint64_t codes = 0;              // how many
    std::span<const std::uint8_t> packed; // zlib, within the bytes given
};

// Any bytes may be given; what is wrong with them otherwise.
std::expected<OwnFile, std::string> read_own(std::span<const std::uint8_t> file);
// The codes; an error if they are not as many as the file says.
std::expected<std::vector<std::uint8_t>, std::string> unpack_own(const OwnFile& file);

} // namespace adjourn::tables
