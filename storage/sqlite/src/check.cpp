#include "check.hpp"

#include "reads.hpp"
#include "schema.hpp"
#include "storage_rows/check.hpp"

#include <algorithm>

namespace adjourn::storage {

namespace {

void check_pages(Database& database, Findings& findings) {
    Statement rows{database, "PRAGMA integrity_check"};
    while (rows.step()) {
        if (const std::string line = rows.text(0); line != "ok") {
            findings.add("structure", line);
        }
    }
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

void check_references(Database& database, Findings& findings) {
    Statement rows{database, "PRAGMA foreign_key_check"};
    while (rows.step()) {
        findings.add(rows.text(0) + " " + std::to_string(rows.integer(1)),
                     "refers to a row of " + rows.text(2) + " that is missing");
    }
}

// They are never given twice.
void check_numbers(Database& database, Findings& findings) {
    Statement given{database,
                    "SELECT name FROM sqlite_sequence s WHERE seq < CASE name "
                    "WHEN 'analyses' THEN max(coalesce((SELECT max(id) FROM analyses), 0), "
                    "coalesce((SELECT max(analysis) FROM asked_sums), 0)) "
                    "WHEN 'directives' THEN coalesce((SELECT max(id) FROM directives), 0) "
                    "WHEN 'files' THEN coalesce((SELECT max(id) FROM files), 0) "
                    "ELSE coalesce((SELECT max(id) FROM snapshots), 0) END"};
    while (given.step()) {
        findings.add("numbers of " + given.text(0), "fewer were given than there are");
    }
}

} // namespace

std::vector<std::string> check_database(Database& database) {
    Findings findings;
    SqliteReads reads{database};
    try {
        reads.at_once([&] {
            for (const auto& look : {check_pages, check_schema, check_references, check_numbers}) {
                findings.part([&] { look(database, findings); });
            }
            check_rows(reads, findings);
        });
    } catch (const StoreError& error) {
        findings.add("reading ended early", error.what());
    }
    return findings.take();
}

} // namespace adjourn::storage
