// Files of others that hold more than a store does, or have no end: whatever reads them ends, and
// says why.
#include "contents.hpp"
#include "older_stores.hpp"
#include "raw.hpp"
#include "samples.hpp"
#include "temporary_directory.hpp"

#include "storage/maintenance.hpp"

#include <sys/stat.h>

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";

// What each of those says that meet a store of others; "" if one takes it.
std::vector<std::string> all_who_meet(const fs::path& directory) {
    const TemporaryDirectory scratch;
    const fs::path at = scratch.path();
    std::vector<std::string> said;
    for (const std::function<void()>& meet : std::initializer_list<std::function<void()>>{
             [&] { open_store(directory, OpenMode::read)->check(); },
             [&] { copy_store(directory, at / "copy"); },
             [&] { back_up(directory, at / "backup.db"); },
             [&] { repair(directory, at / "repaired"); },
             [&] { open_store(directory, OpenMode::owner); },
         }) {
        try {
            meet();
            said.emplace_back();
        } catch (const StoreError& error) {
            said.emplace_back(error.what());
        }
    }
    return said;
}

void put_number(std::string& file, std::size_t at, std::size_t bytes, std::uint64_t number) {
    for (std::size_t i = bytes; i-- > 0; number >>= 8) {
        file[at + i] = static_cast<char>(number & 0xff);
    }
}

// The table's root leads over some levels of pages, each of which names the next one hundreds of
// times, to the pages that it had.
void make_endless(const fs::path& directory, const std::string& table) {
    constexpr std::size_t page = 4'096, levels = 6, cells = 400;
    std::int64_t root = 0;
    {
        Database database{database_file(directory), Access::write};
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        root = database.integer(
            ("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'").c_str());
    }
    std::string file = read_file(database_file(directory));
    const std::size_t pages = file.size() / page, at = static_cast<std::size_t>(root - 1) * page;
    const std::string leaf = file.substr(at, page);
    REQUIRE(leaf[0] == 13); // the leaf of a table
    std::string inner(page, '\0');
    inner[0] = 5;
    put_number(inner, 3, 2, cells);
    const std::size_t content = page - cells * 5;
    put_number(inner, 5, 2, content);
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t next = pages + level + 1;
        put_number(inner, 8, 4, next);
        for (std::size_t i = 0; i < cells; ++i) {
            put_number(inner, 12 + 2 * i, 2, content + 5 * i);
            put_number(inner, content + 5 * i, 4, next);
            inner[content + 5 * i + 4] = 1; // the largest number below
        }
        level == 0 ? file.replace(at, page, inner) : file.append(inner);
    }
    file += leaf;
    put_number(file, 28, 4, file.size() / page);
    write_file(database_file(directory), file);
}

} // namespace

TEST_CASE("a view in the place of any table is refused, whoever meets it") {
    const TemporaryDirectory whole;
    fill_all_tables(whole);
    for (const Table* table : all_tables()) {
        const std::string name = table->name;
        CAPTURE(name);
        const TemporaryDirectory directory;
        fs::copy_file(database_file(whole), database_file(directory));
        std::string columns;
        for (const Column& column : table->columns) {
            columns += (columns.empty() ? "i AS " : ", 1 AS ") + std::string{column.name};
        }
        damage(directory, "DROP TABLE " + name + "; CREATE VIEW " + name + " AS " + endless +
                              "SELECT " + columns + " FROM n");
        for (const std::string& said : all_who_meet(directory)) {
            CHECK_THAT(said, Contains("the view " + name + " is none that Adjourn makes"));
        }
    }
}

TEST_CASE("what else no store has is refused, whoever meets it") {
    const TemporaryDirectory whole;
    fill_all_tables(whole);
    const std::pair<const char*, std::string> cases[] = {
        {"table extra", "CREATE TABLE extra (x)"},
        {"view extra", "CREATE VIEW extra AS " + endless + "SELECT i FROM n"},
        {"trigger loops", "CREATE TRIGGER loops AFTER INSERT ON snapshots BEGIN "
                          "INSERT INTO snapshots SELECT NULL, 1, 1, 1, '', 0; END"},
        {"index odd", "CREATE INDEX odd ON snapshots (length(data))"},
        {"index part", "CREATE INDEX part ON snapshots (at) WHERE at > 0"},
        {"table virtual", "CREATE VIRTUAL TABLE virtual USING fts5(x)"},
        {"table snapshots", "ALTER TABLE snapshots ADD COLUMN more AS (length(data))"},
        {"table sources",
         "DROP TABLE sources; CREATE TABLE sources (id INTEGER PRIMARY KEY, text TEXT NOT NULL "
         "UNIQUE CHECK (length(printf('%.*c', id, 'x')) > 0)) STRICT"},
        {"table sqlite_stat1", "CREATE TABLE t (x UNIQUE); ANALYZE; ALTER TABLE sqlite_stat1 ADD "
                               "COLUMN more; DROP TABLE t"},
    };
    for (const auto& [what, sql] : cases) {
        CAPTURE(what);
        const TemporaryDirectory directory;
        fs::copy_file(database_file(whole), database_file(directory));
        try {
            damage(directory, sql);
        } catch (const SqliteError&) {
            continue; // SQLite itself has no such thing
        }
        for (const std::string& said : all_who_meet(directory)) {
            CHECK_THAT(said, Contains(std::string{"the "} + what));
        }
    }
}

TEST_CASE("an older store is refused for what its own version has not, too") {
    const TemporaryDirectory directory;
    take(3, directory);
    damage(directory, "CREATE VIEW machines AS " + endless + "SELECT i AS id FROM n");
    CHECK_THAT(trouble_opening(directory, OpenMode::owner), Contains("the view machines"));
}

TEST_CASE("statistics that somebody made with ANALYZE are no stranger's") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    damage(directory, "ANALYZE");
    CHECK(open_store(directory, OpenMode::read)->check().empty());
}

TEST_CASE("a table whose pages have no end is not read for ever, whoever meets it") {
    for (const char* table : {"snapshots", "evaluations"}) {
        CAPTURE(table);
        const TemporaryDirectory directory;
        take(older_versions.back(), directory); // its tables have a page each
        open_owner(directory);
        make_endless(directory, table);
        try {
            const auto findings = open_store(directory, OpenMode::read)->check();
            CHECK_FALSE(findings.empty());
        } catch (const StoreError& error) {
            CHECK_THAT(error.what(), Contains("does not end") || Contains("malformed"));
        }
        const TemporaryDirectory scratch;
        CHECK_THROWS_AS(copy_store(directory, scratch.path() / "copy"), StoreError);
        try { // what can be reached, or nothing
            repair(directory, scratch.path() / "repaired");
        } catch (const StoreError& error) {
            CHECK_THAT(error.what(), Contains("does not end") || Contains("malformed"));
        }
    }
}

TEST_CASE("what stands in place of a store's files and is none is not waited for") {
    const auto pipe_at = [](const fs::path& file) { REQUIRE(::mkfifo(file.c_str(), 0600) == 0); };
    for (const char* name :
         {"adjourn.db", "adjourn.db-wal", "adjourn.db-shm", "adjourn.db-journal"}) {
        for (const bool pipe : {true, false}) {
            CAPTURE(name, pipe);
            const TemporaryDirectory directory;
            fill_all_tables(directory);
            const fs::path file = directory.path() / name;
            fs::remove(file);
            pipe ? pipe_at(file) : void(fs::create_directory(file));
            for (const std::string& said : all_who_meet(directory)) {
                CHECK_THAT(said, Contains(std::string{name} + " is not a file"));
            }
        }
    }
    for (const char* name : {"lock", "owner", "acknowledged"}) {
        CAPTURE(name);
        const TemporaryDirectory directory;
        fill_all_tables(directory);
        fs::remove(directory.path() / name);
        pipe_at(directory.path() / name);
        CHECK(open_store(directory, OpenMode::read)->check().empty());
        CHECK_NOTHROW(owner_of(directory));
        trouble_opening(directory, OpenMode::owner); // it ends
    }
}

TEST_CASE("a link to a store is read, and what lies beside its target counts") {
    const TemporaryDirectory directory, linked;
    fill_all_tables(directory);
    fs::create_symlink(database_file(directory), database_file(linked));
    CHECK(open_store(linked, OpenMode::read)->check().empty());
    fs::remove(database_file(directory).string() + "-wal");
    REQUIRE(::mkfifo((database_file(directory).string() + "-wal").c_str(), 0600) == 0);
    CHECK_THAT(trouble_opening(linked, OpenMode::read), Contains("-wal is not a file"));
}
