#include "storage/sqlite/schema.hpp"

#include "base/text.hpp"
#include "storage/rows/check.hpp"
#include "storage/sqlite/reads.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace adjourn::storage {

namespace {

std::vector<std::string> schema_lines(Database& database) {
    Statement rows{database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"};
    std::vector<std::string> lines;
    while (rows.step()) {
        lines.push_back(rows.text(0) + " " + rows.text(1) + " of " + rows.text(2) + ": " +
                        rows.text(3));
    }
    std::ranges::sort(lines);
    return lines;
}

// What SQLite's own ANALYZE makes, which anybody may have called.
bool of_analyze(const std::string& line) {
    return line == "table sqlite_stat1 of sqlite_stat1: CREATE TABLE sqlite_stat1(tbl,idx,stat)" ||
           line == "table sqlite_stat4 of sqlite_stat4: CREATE TABLE "
                   "sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)";
}

// So few bytes make nothing else of it.
bool is_damaged_form(const std::string& line, const std::string& of) {
    constexpr int most = 4;
    return line.size() == of.size() && std::inner_product(line.begin(), line.end(), of.begin(), 0,
                                                          std::plus{}, std::not_equal_to{}) <= most;
}

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

SchemaDifference compare_schema(Database& database, std::span<const Migration> steps) {
    Database made{":memory:", Access::write};
    migrate(made, steps);
    const std::vector<std::string> wanted = schema_lines(made), present = schema_lines(database);
    SchemaDifference found;
    std::ranges::set_difference(present, wanted, std::back_inserter(found.other));
    std::erase_if(found.other, of_analyze);
    std::vector<std::string> missing;
    std::ranges::set_difference(wanted, present, std::back_inserter(missing));
    for (const std::string& line : missing) {
        found.missing.push_back(line.substr(0, line.find(':')));
    }
    for (const std::string& line : found.other) {
        const auto is_it = [&](const std::string& of) { return is_damaged_form(line, of); };
        if (const auto ours = std::ranges::find_if(missing, is_it); ours != missing.end()) {
            missing.erase(ours);
        } else if (found.strange.empty()) {
            found.strange = line;
        }
    }
    return found;
}

int schema_version(Database& database, std::span<const Migration> known) {
    const int newest = known.back().version;
    const std::int64_t id = database.integer("PRAGMA application_id");
    const std::int64_t version = database.integer("PRAGMA user_version");
    const bool blank = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    const std::string file = database.file().string();
    if (id == 0 && version == 0 && blank) {
        return 0;
    }
    if (id != application_id || version < 1) {
        throw StoreError{file +
                         ": a database of another program, not a store of Adjourn; move it away or "
                         "choose another directory"};
    }
    if (version > newest) {
        throw StoreError{file + ": written by a newer Adjourn (schema " + std::to_string(version) +
                         ", this program knows up to " + std::to_string(newest) +
                         "); use the newer program"};
    }
    const auto steps = known.first(static_cast<std::size_t>(version));
    if (const auto found = compare_schema(database, steps); !found.strange.empty()) {
        constexpr std::size_t most = 100;
        throw StoreError{
            file + ": the " +
            base::shortened(found.strange.substr(0, found.strange.find(" of ")), most) +
            " is none that Adjourn makes: somebody has changed the file, and nothing of "
            "it is read; restore a backup"};
    }
    return static_cast<int>(version);
}

void require_current(Database& database, std::span<const Migration> known) {
    const int version = schema_version(database, known), newest = known.back().version;
    if (version == 0) {
        throw_no_store(database.file());
    }
    if (version < newest) {
        throw StoreError{database.file().string() + ": written by an older Adjourn (schema " +
                         std::to_string(version) + ", this program needs " +
                         std::to_string(newest) +
                         "); start 'adjourn serve' on this directory once to bring it up to date"};
    }
}

void throw_no_store(const std::filesystem::path& file, const std::error_code& why) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(file, missing);
    throw StoreError{"there is no store in " + file.parent_path().string() +
                     (why                     ? " (" + why.message() + ")"
                      : !missing && size == 0 ? " (" + file.filename().string() + " is empty)"
                                              : "") +
                     "; check the directory, or make one with 'adjourn serve --data'"};
}

void migrate(Database& database, std::span<const Migration> steps) {
    const int present = schema_version(database, steps);
    if (present == steps.back().version) {
        return;
    }
    // Steps may rebuild tables that others refer to; the references are checked before each commit.
    database.execute("PRAGMA foreign_keys = OFF");
    for (const Migration& step : steps) {
        if (step.version <= present) {
            continue;
        }
        Transaction transaction{database, Transaction::Kind::write};
        database.execute(step.sql);
        {
            Statement broken{database, "PRAGMA foreign_key_check"};
            if (broken.step()) {
                throw StoreError{database.file().string() + ": migration " +
                                 std::string{step.name} +
                                 " would leave a broken reference in table " + broken.text(0) +
                                 "; nothing was changed"};
            }
        }
        const std::string version = "PRAGMA user_version = " + std::to_string(step.version);
        database.execute(version.c_str());
        transaction.commit();
    }
    database.execute("PRAGMA foreign_keys = ON");
}

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
