// Looking through all tables of some directories, without using them.
#pragma once

#include "tables/endgame_tables.hpp"

#include <string>

namespace adjourn::tables {

// Reads every Syzygy and own table in the directories (':' between them) to the end.
Inventory check_tables(const std::string& directories);

} // namespace adjourn::tables
