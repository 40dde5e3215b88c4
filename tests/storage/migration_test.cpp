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
    CREATE TABLE filler (x BLOB);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO filler SELECT randomblob(3000) FROM n;
)";

} // namespace

TEST_CASE("a store of schema version 1 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take_v1(directory);
    {
        const auto store = open_owner(directory);
        require_holds(*store, Contents{});
        // Known questions are known.
        for (const Evaluation& fact : Contents{}.facts) {
            CHECK_FALSE(append_and_wait(*store, fact).inserted);
        }
    }
    require_holds(*open_store(directory, OpenMode::read), Contents{});
}

TEST_CASE("a store of schema version 2 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v2_file, directory);
    require_holds(*open_owner(directory), contents_2());
    require_holds(*open_store(directory, OpenMode::read), contents_2());
}

TEST_CASE("a store of schema version 3 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v3_file, directory);
    require_holds(*open_owner(directory), contents_2());
    require_holds(*open_store(directory, OpenMode::read), contents_2());
}

TEST_CASE("a store of schema version 4 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v4_file, directory);
    require_holds(*open_owner(directory), contents_2());
    require_holds(*open_store(directory, OpenMode::read), contents_2());
}

TEST_CASE("a store of schema version 5 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v5_file, directory);
    require_holds(*open_owner(directory), contents_5());
    require_holds(*open_store(directory, OpenMode::read), contents_5());
}

TEST_CASE("a store of schema version 6 opens, and all of it is there") {
    const TemporaryDirectory directory;
    take(v6_file, directory);
    require_holds(*open_owner(directory), contents_5());
    require_holds(*open_store(directory, OpenMode::read), contents_5());
}

TEST_CASE("damage in an older store is taken along, and told") {
    const TemporaryDirectory directory;
    take(v3_file, directory);
    damage(directory, "PRAGMA ignore_check_constraints = ON;"
                      "UPDATE evaluations SET limit_amount = 0 WHERE id = 65536");
    const auto store = open_owner(directory);
    CHECK(all_facts(*store, EngineId{1}).size() + all_facts(*store, EngineId{2}).size() ==
          contents_2().facts.size() - 1);
    const auto findings = store->check();
    CHECK(std::ranges::count(findings, "evaluation 65536: a limit of 0 or less") == 1);
}

namespace {

// At every `step`th operation of each.
void die_while_brought_up_to_date(std::uint64_t step) {
    for (const auto& [file, contents] : {std::pair{v1_file, Contents{}},
                                         {v2_file, contents_2()},
                                         {v3_file, contents_2()},
                                         {v4_file, contents_2()},
                                         {v5_file, contents_5()},
                                         {v6_file, contents_5()}}) {
        std::size_t killed = 0;
        bool finished = false;
        for (std::uint64_t n = 1; !finished; n += step) {
            CAPTURE(file, n);
            const TemporaryDirectory directory;
            take(file, directory);
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
                const int version = schema_version(database, migrations()); // old, new, or between
                REQUIRE(version >= 1);
                REQUIRE(version <= migrations().back().version);
                REQUIRE(database.text("PRAGMA integrity_check") == "ok");
                REQUIRE(database.integer("SELECT count(*) FROM evaluations") == 9);
            }
            require_holds(*open_owner(directory), contents);
        }
        CHECK(killed * step > 10);
    }
}

} // namespace

TEST_CASE("a process that dies while a store of any older version is brought up to date",
          "[not valgrind]") {
    die_while_brought_up_to_date(9);
}

TEST_CASE("a process that dies at any moment while a store is brought up to date",
          "[.][deep][reliability]") {
    die_while_brought_up_to_date(1);
}

TEST_CASE("what this version writes comes back") {
    const TemporaryDirectory directory;
    Contents contents = contents_2();
    contents.usage.evaluations_new = contents.asked.size();
    write(*open_owner(directory), contents);
    require_holds(*open_owner(directory), contents);
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
    take_v1(directory);
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
    take_v1(directory);
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
    take_v1(directory);
    Database database{database_file(directory), Access::read};
    CHECK_NOTHROW(require_current(database, migrations().first(1)));
    CHECK_THROWS_WITH(require_current(database, with_next("")),
                      Contains("written by an older Adjourn (schema 1, this program needs ") &&
                          Contains("'adjourn serve' on this directory"));
}

TEST_CASE("a process that dies in the middle of a step leaves the version before or after it") {
    const auto steps = with_next(rebuild);
    std::size_t before = 0, after = 0;
    for (std::uint64_t n = 1; after == 0; n += 3) {
        CAPTURE(n);
        const TemporaryDirectory directory;
        take_v1(directory);
        const pid_t child = ::fork();
        if (child == 0) {
            FaultyDisk disk;
            disk.fail_at(n, Fault::kill);
            Database database{database_file(directory), Access::write};
            database.use_wal();
            migrate(database, steps);
            disk.fail_at(1, Fault::kill);
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            ::_exit(1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));
        REQUIRE(WTERMSIG(status) == SIGKILL);
        const FaultyDisk good; // does not wait for a real disk
        Database database{database_file(directory), Access::write};
        const int version = schema_version(database, steps);
        REQUIRE(database.text("PRAGMA integrity_check") == "ok");
        REQUIRE(database.integer("SELECT count(*) FROM snapshots") == 1);
        const auto fillers =
            database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'");
        if (version < steps.back().version) {
            ++before;
            REQUIRE(fillers == 0);
            migrate(database, steps); // and the step can be taken again
            REQUIRE(schema_version(database, steps) == steps.back().version);
        } else {
            ++after;
            REQUIRE(version == steps.back().version);
            REQUIRE(fillers == 1);
        }
    }
    CHECK(before > 10);
}

TEST_CASE("a process that dies while it makes a new store leaves one that opens") {
    bool finished = false;
    for (std::uint64_t n = 1; !finished; n += 2) {
        CAPTURE(n);
        const TemporaryDirectory directory;
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
        const FaultyDisk good;
        const auto store = open_owner(directory);
        REQUIRE(store->check().empty());
        REQUIRE(append_and_wait(*store, sample_fact(store->engine(sample_engine()), 1)).inserted);
    }
}
