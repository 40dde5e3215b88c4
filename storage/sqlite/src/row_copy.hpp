// RowCopy: rows of one database into another, as they are, as far as they can
// be reached where pages of the file are damaged.
#pragma once

#include "database.hpp"
#include "storage/maintenance.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace adjourn::storage {

class RowCopy {
public:
    using Tell = std::function<void(const std::string&)>;
    // `expected`: rows in all, for `advance`.
    RowCopy(Database& from, Database& to, Tell tell, const Advance& advance, std::uint64_t expected)
        : from_{from}, to_{to}, tell_{std::move(tell)}, advance_{advance}, expected_{expected} {}

    // Rows in the order of their numbers, a column. Where a page cannot be read,
    // on behind it.
    void by_number(const Table& table);
    // Rows in the order of their key, from the front and from the back, to
    // whatever cannot be read.
    void by_key(const Table& table);

    std::map<std::string, RepairReport::Table>& tables() { return tables_; }

private:
    void take(const std::string& what, Statement& add, const Statement& row,
              RepairReport::Table& counted);

    Database& from_;
    Database& to_;
    const Tell tell_;
    const Advance& advance_;
    std::uint64_t done_ = 0;
    const std::uint64_t expected_;
    std::map<std::string, RepairReport::Table> tables_;
};

} // namespace adjourn::storage
