// Salvage: a damaged database, the new one that has its rows, and what is told about them.
#pragma once

#include "database.hpp"
#include "row_copy.hpp"
#include "storage/maintenance.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace adjourn::storage {

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
