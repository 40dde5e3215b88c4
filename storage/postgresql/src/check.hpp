// The store's integrity, as far as the facts alone tell.
#pragma once

#include "connection.hpp"

#include <string>
#include <vector>

namespace adjourn::storage::postgresql {

// One line a finding, at most 200 of them and then how many more; empty = sound. Every row is read
// as a server reads it, so that its checksum and form are looked at, and then held to the rules.
std::vector<std::string> check_database(const Store& store, Connection& connection);

} // namespace adjourn::storage::postgresql
