#include "storage/sqlite/check.hpp"

#include "storage/rows/check.hpp"
#include "storage/sqlite/reads.hpp"
#include "storage/sqlite/schema.hpp"

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
    const SchemaDifference found = compare_schema(database, migrations());
    for (const std::string& line : found.other) {
        findings.add("schema", "not as it was made: " + line);
    }
    for (const std::string& line : found.missing) {
        findings.add("schema", "missing: " + line);
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
    } catch (const SqliteError& error) {
        if (error.stopped()) {
            throw;
        }
        findings.add("reading ended early", error.what());
    }
    return findings.take();
}

} // namespace adjourn::storage
