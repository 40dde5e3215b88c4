// How records stand in columns, the same in every kind of store: a store is copied row by row.
#pragma once

#include "storage/store.hpp"
#include "storage_base/bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::storage {

const std::string& name_of(AnalysisState state);
std::optional<AnalysisState> state_of(std::string_view name); // nullopt: no such name

Buffer moves_blob(const std::vector<chess::Move>& moves);                        // blobs.hpp
std::optional<std::int64_t> raw_or_null(const std::optional<chess::Move>& move); // Move::raw()
std::optional<std::int64_t> row_or_null(EngineId engine);                        // EngineId{}: none

} // namespace adjourn::storage
