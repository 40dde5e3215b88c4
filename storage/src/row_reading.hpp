// What all reads of rows share. What is no record is thrown as DamagedRow.
#pragma once

#include "queries.hpp"

#include <string>
#include <vector>

namespace adjourn::storage {

// The same columns wherever evaluations are read, so that one function reads them.
inline const std::string select_evaluations =
    "SELECT id, engine, limit_kind, limit_amount, excluded, at, answer, checksum "
    "FROM evaluations ";

inline constexpr const char* wrong_checksum = "its checksum is another";

// Throws DamagedRow if there is no such limit.
inline analysis::Limit read_limit(const Database& database, const std::string& what,
                                  std::int64_t kind, std::int64_t amount) {
    constexpr auto last_kind = static_cast<std::int64_t>(analysis::Limit::Kind::movetime);
    if (kind < 0 || kind > last_kind) {
        throw_damaged(database, what, "a limit of unknown kind");
    }
    if (amount < 1) {
        throw_damaged(database, what, "a limit of 0 or less");
    }
    return {static_cast<analysis::Limit::Kind>(kind), static_cast<std::uint64_t>(amount)};
}

// "FILE: WHAT", to whoever wants to know.
inline void tell(const Database& database, const Damaged& damaged, const std::string& what) {
    if (damaged) {
        damaged(database.file().string() + ": " + what);
    }
}

// Appends what `read` makes of the row that stands, unless it is damaged.
template <class Record, class Read>
void take_row(std::vector<Record>& records, const Damaged& damaged, Read read) {
    try {
        records.push_back(read());
    } catch (const DamagedRow& row) {
        if (damaged) {
            damaged(row.what());
        }
    }
}

inline chess::PackedPosition read_key(const Database& database, std::int64_t id, Bytes key) {
    auto packed = decode_key(key);
    if (!packed) {
        throw_damaged(database, "position " + std::to_string(id), packed.error());
    }
    return *packed;
}

} // namespace adjourn::storage
