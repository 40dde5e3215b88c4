#include "check_whole.hpp"

#include "schema.hpp"
#include "seals.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::storage {

void Findings::add(const std::string& row, const std::string& what) {
    if (lines_.size() < most) {
        lines_.push_back(row + ": " + what);
    } else {
        ++more_;
    }
}

std::vector<std::string> Findings::take() {
    if (more_ > 0) {
        lines_.push_back("and " + std::to_string(more_) + " more");
    }
    return std::move(lines_);
}

std::string row_name(const char* table, std::int64_t id) {
    return std::string{table} + " " + std::to_string(id);
}

// What the file says of its own tables is what the migrations make of an empty one.
void check_schema(Database& database, Findings& findings) {
    Database fresh{":memory:", Access::write};
    migrate(fresh, migrations());
    const char* const sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema "
                            "WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1, 2, 3, 4";
    const auto lines = [&](Database& of) {
        Statement rows{of, sql};
        std::vector<std::string> all;
        while (rows.step()) {
            all.push_back(rows.text(0) + " " + rows.text(1) + " of " + rows.text(2) + ": " +
                          rows.text(3));
        }
        return all;
    };
    const std::vector<std::string> wanted = lines(fresh), present = lines(database);
    for (const std::string& line : present) {
        if (std::ranges::find(wanted, line) == wanted.end()) {
            findings.add("schema", "not as it was made: " + line);
        }
    }
    for (const std::string& line : wanted) {
        if (std::ranges::find(present, line) == present.end()) {
            findings.add("schema", "missing: " + line.substr(0, line.find(':')));
        }
    }
}

// Whether each row is what was written.
void check_seals(Database& database, Findings& findings) {
    for (const Seal* seal : seals()) {
        Statement rows{database, std::string{"SELECT "} + seal->id + " FROM " + seal->table +
                                     " WHERE checksum <> " + seal->checksum};
        while (rows.step()) {
            findings.add(row_name(seal->row, rows.integer(0)), "its checksum is another");
        }
    }
    Statement sums{
        database,
        std::string{"SELECT coalesce(f.analysis, s.analysis) FROM (SELECT analysis, sum("} +
            asked_checksum +
            ") AS sum FROM asked GROUP BY analysis) f FULL JOIN asked_sums s "
            "ON s.analysis = f.analysis WHERE f.sum IS NOT s.sum"};
    while (sums.step()) {
        findings.add(row_name("analysis", sums.integer(0)),
                     "the checksum of what it asked for is another");
    }
    // Ids of analyses and directives are never given twice.
    Statement given{database,
                    "SELECT name FROM sqlite_sequence s WHERE seq < CASE name "
                    "WHEN 'analyses' THEN max(coalesce((SELECT max(id) FROM analyses), 0), "
                    "coalesce((SELECT max(analysis) FROM asked_sums), 0)) "
                    "WHEN 'directives' THEN coalesce((SELECT max(id) FROM directives), 0) "
                    "ELSE coalesce((SELECT max(id) FROM snapshots), 0) END"};
    while (given.step()) {
        findings.add("numbers of " + given.text(0), "fewer were given than there are");
    }
}

} // namespace adjourn::storage
