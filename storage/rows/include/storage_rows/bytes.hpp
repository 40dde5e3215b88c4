// What rows are made of, in every kind of store.
#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace adjourn::storage {

using Bytes = std::span<const std::uint8_t>;
using Buffer = std::vector<std::uint8_t>;

// An id of the records as the database keeps it.
template <class Id>
std::int64_t row(Id id) {
    return static_cast<std::int64_t>(id);
}

// What became of a write.
using Outcome = std::expected<Written, std::string>;

// Why a write is refused, in the words of all stores.
inline std::unexpected<std::string> refuse(const std::string& what, const std::string& why) {
    return std::unexpected(what + " refused: " + why);
}

template <class Id>
std::string no_such(const char* what, Id id) {
    return std::string{"there is no "} + what + " " + std::to_string(row(id));
}

// `id >> 16` of an evaluation is its position (docs/internals/database-format.md).
constexpr int position_shift = 16;
constexpr std::int64_t numbers_per_position = 65'536;

// Whether it answers its question.
inline bool has_exact_score(const Evaluation& evaluation) {
    return evaluation.move && evaluation.score && evaluation.bound == analysis::Bound::exact;
}

} // namespace adjourn::storage
