// What is looked at of a file besides its rows: pages, schema, references.
#pragma once

#include "storage/sqlite/database.hpp"

#include <string>
#include <vector>

namespace adjourn::storage {

// One line a finding, at most 200 of them and then how many more; empty = sound. Sees one snapshot.
// Reads everything: about a minute for 10 million evaluations. Throws StoreError where reading has
// no end, or is stopped.
std::vector<std::string> check_database(Database& database);

} // namespace adjourn::storage
