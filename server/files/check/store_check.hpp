// What `adjourn check` finds in a store: whatever a server that reads it would stumble over.
#pragma once

#include "analysis/tables.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::server {

// The facts against schema and rules, and what the texts of analyses mean. One line a finding;
// empty = sound. Reads everything; any thread. Throws storage::StoreError where reading has no
// end, or is stopped.
std::vector<std::string> check_facts(const storage::Store& store);

// The values that a server works with, against their recomputation.
struct CheckedValues {
    std::size_t moves = 0; // of all graphs
    std::vector<std::string> findings;
};
CheckedValues check_values(const storage::Store& store,
                           const std::shared_ptr<const analysis::Tables>& tables);

} // namespace adjourn::server
