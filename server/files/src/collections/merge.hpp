// Sorted sources of records become one: each move of a position once.
#pragma once

#include "record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace adjourn::collections {

// Records in the order of their places.
class RecordSource {
public:
    RecordSource() = default;
    RecordSource(const RecordSource&) = delete;
    RecordSource& operator=(const RecordSource&) = delete;
    virtual ~RecordSource() = default;

    // Null at the end; valid until next().
    virtual const Record* peek() = 0;
    virtual void next() = 0;
};

std::unique_ptr<RecordSource> in_memory(std::vector<Record> records);
// `count` records that begin at `at` of an open file.
std::unique_ptr<RecordSource> in_file(int file, std::uint64_t at, std::uint64_t count);

// Gives `take` all records in order, those of one place added up, sources in their order. Positions
// with fewer games than `least` are left out.
void merge(std::vector<std::unique_ptr<RecordSource>> sources, std::uint64_t least,
           const std::function<void(const Record&)>& take);

// Sorts records, and adds up those of one place.
void sort_and_add(std::vector<Record>& records);

} // namespace adjourn::collections
