// Facts: all evaluations of a store, so that two stores can be compared. Times, row numbers and the
// order of writing are no part of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace adjourn::bench {

struct Facts {
    std::map<std::string, std::string> answers; // by question; bytes
    std::uint64_t doubled = 0;                  // further rows for a question
};

// Throws storage::StoreError. No owner of the store is disturbed.
Facts read_facts(const std::filesystem::path& store);

// Questions that both have answered, each in another way: of an engine whose answers depend on the
// question alone there are none.
std::size_t answered_differently(const Facts& one, const Facts& other);

} // namespace adjourn::bench
