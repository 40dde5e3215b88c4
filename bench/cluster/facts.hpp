// Facts: all evaluations of a store and the answers at its roots, so that two stores can be
// compared. Times, row numbers and the order of writing are no part of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace adjourn::bench {

struct Facts {
    std::map<std::string, std::string> answers; // by question; bytes
    std::uint64_t doubled = 0;                  // further rows for a question
    std::vector<std::string> roots;             // last snapshot of each analysis, what it says

    std::string digest() const; // hexadecimal; equal only for equal facts
};

// Throws storage::StoreError. No owner of the store is disturbed.
Facts read_facts(const std::filesystem::path& store);

struct Difference {
    std::uint64_t missing = 0, more = 0, other = 0; // evaluations
    bool roots = false;                             // an answer at a root is another one

    bool none() const { return missing + more + other == 0 && !roots; }
};
Difference difference(const Facts& wanted, const Facts& found);

} // namespace adjourn::bench
