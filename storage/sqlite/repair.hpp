// RowCopy: rows of one database into another, as they are, as far as they can
// be reached where pages of the file are damaged.
#pragma once

#include "storage/maintenance.hpp"
#include "storage/sqlite/database.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

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

// Salvage: a damaged database, the new one that has its rows, and what is told about them.

struct Salvage {
    Salvage(Database& damaged, Database& made, const Advance& advance);
    Salvage(const Salvage&) = delete;
    Salvage& operator=(const Salvage&) = delete;

    // A line of the report. Beyond 1,000 it says only that there are more.
    void tell(const std::string& line);
    // Visits rows of the new database as they are read (tables.hpp).
    void each(const Table& table, const std::string& where, const std::function<void(Cells)>& take);

    Database& from;
    Database& to;
    std::vector<std::string> lines;
    RowCopy rows;
    std::map<std::string, RepairReport::Table>& tables; // by name; of `rows`
};

} // namespace adjourn::storage
