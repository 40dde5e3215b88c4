#include "salvage.hpp"

#include "storage_rows/row_stream.hpp"

namespace adjourn::storage {

namespace {

constexpr std::size_t most_lines = 1'000;

// For the display alone.
std::uint64_t rows_in(Database& database) {
    try {
        return static_cast<std::uint64_t>(database.integer("SELECT value FROM totals"));
    } catch (const SqliteError&) {
        return 0;
    }
}

} // namespace

Salvage::Salvage(Database& damaged, Database& made, const Advance& advance)
    : from{damaged}, to{made}, rows{from, to, [this](const std::string& line) { tell(line); },
                                    advance, rows_in(from)},
      tables{rows.tables()} {}

void Salvage::tell(const std::string& line) {
    if (lines.size() < most_lines) {
        lines.push_back(line);
    } else if (lines.size() == most_lines) {
        lines.push_back("and more");
    }
}

void Salvage::each(const Table& table, const std::string& where,
                   const std::function<void(Cells)>& take) {
    Statement all{to, select_rows(table) + " " + where};
    std::vector<Cell> cells;
    while (all.step()) {
        all.read(cells);
        take(Cells{cells});
    }
}

} // namespace adjourn::storage
