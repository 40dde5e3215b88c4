// Writing our own tables.
#pragma once

#include "chess/endgame/endgame_table.hpp"

#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>

namespace adjourn::tables {

// Written beside and renamed, so that a file by that name is whole. Its size in bytes, or what went
// wrong.
std::expected<std::size_t, std::string> write_own_file(const chess::EndgameTable& table,
                                                       const std::filesystem::path& file);

} // namespace adjourn::tables
