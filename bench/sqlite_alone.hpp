// SQLite alone, the anchor of `bench store`: the same rows in tables without triggers, in the order
// in which they came, in groups of the same size and as durable; no checksum, nothing asked before.
#pragma once

#include <cstddef>
#include <filesystem>

namespace adjourn::bench {

struct Alone { // facts/s
    double inserted = 0;
    double read = 0;
};

// `directory` has the store's file, and gets another one. Throws std::runtime_error with SQLite's
// words.
Alone sqlite_alone(const std::filesystem::path& directory, std::size_t at_once);

} // namespace adjourn::bench
