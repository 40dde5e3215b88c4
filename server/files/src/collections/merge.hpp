// Sorted sources of records become one: each move of a position once.
#pragma once

#include "record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
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
// `count` records that begin at `at` of an open file, each of so many bytes there.
std::unique_ptr<RecordSource> in_file(int file, std::uint64_t at, std::uint64_t count,
                                      std::size_t record_bytes = sizeof(Record));
// Records of an open file, as many as fit and are there. Throws std::runtime_error if the disk
// fails.
std::size_t read_records(int file, std::uint64_t at, std::size_t record_bytes,
                         std::span<Record> into);

// Gives `take` all records in order, those of one place added up, sources in their order. Positions
// with fewer games than `least` are left out.
void merge(std::vector<std::unique_ptr<RecordSource>> sources, std::uint64_t least,
           const std::function<void(const Record&)>& take);

// Sorts records, and adds up those of one place.
void sort_and_add(std::vector<Record>& records);

} // namespace adjourn::collections
