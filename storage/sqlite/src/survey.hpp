// What reading rows cannot see: that there were more of them.
#pragma once

#include "database.hpp"

#include <string>
#include <vector>

namespace adjourn::storage {

// One line a finding; empty = as it was written, as far as this goes: the pages and indexes of all
// tables but the large ones, of these how many rows there are, and whether analyses have gone that
// others refer to. 10 million evaluations take half a second.
std::vector<std::string> survey_database(Database& database);

} // namespace adjourn::storage
