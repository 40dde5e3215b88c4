// Looking through the directories.
#pragma once

#include "tables/endgame_tables.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::tables {

// Files of these directories whose names are a material and the extension (".rtbw"), in the order
// of the names; of equal names the one in the first directory. Directories that can't be read go to
// `problems`.
std::vector<std::filesystem::path> table_files(const std::string& directories,
                                               const std::string& extension,
                                               std::vector<std::string>& problems);

// What tells a file from another one of its name: size and time of the last change. One entry of
// Inventory::identity.
std::string identity_of(const std::filesystem::path& file);

// The Syzygy files that may be used; fills inventory.wdl, .dtz, .men, .identity and .problems.
std::vector<std::filesystem::path> sound_syzygy_files(const std::string& directories,
                                                      Inventory& inventory);

} // namespace adjourn::tables
