// Schema versions: what older programs left opens for ever; a step happens whole or not at all.
#include "storage/sqlite/schema.hpp"

#include "faulty_disk.hpp"
#include "older_stores.hpp"
#include "raw.hpp"
#include "samples.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::vector<Migration> with_next(const char* sql) {
    std::vector<Migration> steps(migrations().begin(), migrations().end());
    steps.push_back({steps.back().version + 1, "9999_test", sql});
    return steps;
}

// Rebuilds the largest table, as a real step may have to.
const char* const rebuild = R"(
    CREATE TABLE snapshots_new (id INTEGER PRIMARY KEY AUTOINCREMENT,
        analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
        refine INTEGER NOT NULL, at INTEGER NOT NULL, data TEXT NOT NULL, extra TEXT) STRICT;
    INSERT INTO snapshots_new SELECT id, analysis, refine, at, data, 'new' FROM snapshots;
    DROP TABLE snapshots;
    ALTER TABLE snapshots_new RENAME TO snapshots;
    CREATE INDEX snapshots_by_analysis ON snapshots (analysis);
)";

} // namespace

TEST_CASE("a store of any older schema version opens, and all of it is there") {
    for (const int version : older_versions) {
        CAPTURE(version);
        const Contents contents = contents_of(version);
        const TemporaryDirectory directory;
        take(version, directory);
        {
            const auto store = open_owner(directory);
            require_holds(*store, contents);
            for (const Evaluation& fact : contents.facts) { // known questions are known
                CHECK_FALSE(append_and_wait(*store, fact).inserted);
            }
        }
        require_holds(*open_store(directory, OpenMode::read), contents);
    }
}

TEST_CASE("damage in an older store is taken along, and told") {
    const TemporaryDirectory directory;
    take(3, directory);
    damage(directory, "PRAGMA ignore_check_constraints = ON;"
                      "UPDATE evaluations SET limit_amount = 0 WHERE id = 65536");
    const auto store = open_owner(directory);
    CHECK(all_facts(*store, EngineId{1}).size() + all_facts(*store, EngineId{2}).size() ==
          contents_2().facts.size() - 1);
    const auto findings = store->check();
    CHECK(std::ranges::count(findings, "evaluation 65536: a limit of 0 or less") == 1);
}

TEST_CASE("a process that dies while a store of any older version is brought up to date",
          "[not valgrind]") {
    constexpr std::uint64_t step = 9; // of the operations each ninth is its last
    for (const int version : older_versions) {
        std::size_t killed = 0;
        bool finished = false;
        for (std::uint64_t n = 1; !finished; n += step) {
            CAPTURE(version, n);
            const TemporaryDirectory directory;
            take(version, directory);
            const pid_t child = ::fork();
            if (child == 0) {
                FaultyDisk disk;
                disk.fail_at(n, Fault::kill);
                open_owner(directory);
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            finished = WIFEXITED(status);
            killed += finished ? 0 : 1;
            const FaultyDisk good;
            {
                Database database{database_file(directory), Access::read};
                const int now = schema_version(database, migrations()); // old, new, or between
                REQUIRE(now >= version);
                REQUIRE(now <= migrations().back().version);
                REQUIRE(database.text("PRAGMA integrity_check") == "ok");
                REQUIRE(database.integer("SELECT count(*) FROM evaluations") == 9);
            }
            require_holds(*open_owner(directory), contents_of(version));
        }
        CHECK(killed * step > 10);
    }
}

TEST_CASE("migrations are numbered from 1 without gaps") {
    int expected = 1;
    for (const Migration& migration : migrations()) {
        CHECK(migration.version == expected++);
        CHECK_FALSE(migration.name.empty());
    }
    CHECK(expected > 1);
}

TEST_CASE("a new store says in its header what it is") {
    const TemporaryDirectory directory;
    open_owner(directory);
    Database database{database_file(directory), Access::read};
    CHECK(database.integer("PRAGMA application_id") == 0x41646a6e);
    CHECK(database.integer("PRAGMA user_version") == migrations().back().version);
    CHECK(database.text("PRAGMA journal_mode") == "wal");
}

TEST_CASE("a later step is taken, with everything kept") {
    const TemporaryDirectory directory;
    take(1, directory);
    const auto steps = with_next(rebuild);
    {
        Database database{database_file(directory), Access::write};
        database.use_wal();
        migrate(database, steps);
        CHECK(schema_version(database, steps) == steps.back().version);
        CHECK(database.text("SELECT extra FROM snapshots") == "new");
        CHECK(database.integer("PRAGMA foreign_keys") == 1);
        CHECK_NOTHROW(migrate(database, steps)); // nothing is left to do
    }
    // This program does not know that version.
    CHECK_THAT(trouble_opening(directory, OpenMode::owner), Contains("written by a newer Adjourn"));
}

TEST_CASE("a step that fails changes nothing") {
    const TemporaryDirectory directory;
    take(1, directory);
    const auto attempt = [&](const char* sql) -> std::string {
        Database database{database_file(directory), Access::write};
        try {
            migrate(database, with_next(sql));
            return "";
        } catch (const StoreError& error) {
            return error.what();
        }
    };
    CHECK_THAT(attempt("CREATE TABLE extra (x); DROP TABLE nonsense"), Contains("nonsense"));
    CHECK_THAT(attempt("CREATE TABLE extra (x); DROP TRIGGER engines_remain; DELETE FROM engines"),
               Contains("broken reference in table"));
    require_holds(*open_owner(directory), Contents{});
    Database database{database_file(directory), Access::read};
    CHECK(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'") == 0);
}

TEST_CASE("an older schema is not read, but brought up to date by its owner") {
    const TemporaryDirectory directory;
    take(1, directory);
    Database database{database_file(directory), Access::read};
    CHECK_NOTHROW(require_current(database, migrations().first(1)));
    CHECK_THROWS_WITH(require_current(database, with_next("")),
                      Contains("written by an older Adjourn (schema 1, this program needs ") &&
                          Contains("'adjourn serve' on this directory"));
}
