// Whatever the disk does, and whenever: nothing acknowledged is lost, nothing crashes, and the
// store opens again.
#include "storage/sqlite/sqlite_store.hpp"

#include "faulty_disk.hpp"
#include "raw.hpp"
#include "samples.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;

namespace {

constexpr int checkpoint_pages = 6; // pages: every few commits

struct Acknowledged {
    EngineId engine{};
    std::vector<Evaluation> facts;
    bool analysis = false;
    std::string first_error;
};

// Opens, appends nine facts in five commits, adds an analysis, closes.
Acknowledged work(const std::filesystem::path& directory) {
    Acknowledged done;
    std::size_t errors = 0;
    try {
        SqliteStore store{directory, OpenMode::owner, checkpoint_pages};
        done.engine = store.engine(sample_engine());
        for (std::uint64_t n = 0; n < 9; ++n) {
            const Evaluation fact = sample_fact(done.engine, n);
            store.append(fact, [&done, &errors, fact](const auto& result) {
                if (result) {
                    // A broken disk stays broken: nothing is stored after something was not.
                    done.facts.push_back(errors == 0 ? fact : Evaluation{});
                } else {
                    errors += 1;
                    done.first_error = result.error().why;
                }
            });
            if (n % 2 == 0) {
                store.flush();
            }
        }
        done.analysis = insert_and_wait(store, sample_analysis(done.engine, "a", 1)).inserted;
    } catch (const StoreError& error) {
        if (done.first_error.empty()) {
            done.first_error = error.what();
        }
    }
    return done;
}

// With a good disk again: all that was acknowledged is there, all is sound, and work goes on.
void require_kept(const std::filesystem::path& directory, const Acknowledged& done) {
    const FaultyDisk good; // does not wait for a real disk either
    const auto store = open_owner(directory);
    for (const Evaluation& fact : done.facts) {
        const auto answer = store->answer(fact.question);
        REQUIRE(answer);
        REQUIRE(without_id(*answer) == fact);
    }
    REQUIRE(store->analyses().size() >= (done.analysis ? 1u : 0u));
    const auto findings = store->check();
    CAPTURE(findings);
    REQUIRE(findings.empty());
    const EngineId engine = store->engine(sample_engine());
    REQUIRE(append_and_wait(*store, sample_fact(engine, 1'000)).inserted);
    REQUIRE(store->evaluation_count() == all_facts(*store, engine).size());
}

// The n-th operation of the kind fails, for every sixth n until a run gets through. What lies
// between, what else a disk does, and what comes together, is tests/simulation's.
void fail_everywhere(Fault fault, On on, std::size_t at_least) {
    constexpr std::uint64_t step = 6;
    std::size_t faults = 0;
    for (std::uint64_t n = 1;; n += step) {
        CAPTURE(n);
        const TemporaryDirectory directory;
        Acknowledged done;
        std::uint64_t operations = 0;
        {
            FaultyDisk disk;
            disk.fail_at(n, fault, on);
            done = work(directory);
            operations = disk.operations();
            if (fault == Fault::torn_onward) {
                disk.lose_unsynced(n);
            }
        }
        require_kept(directory, done);
        faults += operations < n ? 0 : 1;
        if (!done.first_error.empty()) {
            REQUIRE_THAT(done.first_error, Contains("adjourn.db"));
        }
        if (operations < n) {
            REQUIRE(done.first_error.empty());
            REQUIRE(done.facts.size() == 9);
            break;
        }
    }
    CHECK(faults * step >= at_least);
}

} // namespace

TEST_CASE("fault: whatever the file system refuses", "[not valgrind]") {
    SECTION("one truncation") {
        fail_everywhere(Fault::error_once, On::truncates, 1);
    }
    SECTION("to open a file, once") {
        fail_everywhere(Fault::error_once, On::opens, 3);
    }
    SECTION("one lock") {
        fail_everywhere(Fault::error_once, On::locks, 20);
    }
    SECTION("all; and power fails: of what was not synced some is there, torn, in any order") {
        fail_everywhere(Fault::torn_onward, On::changes, 20);
    }
}

TEST_CASE("fault: the shim does lose what was not synced") {
    const TemporaryDirectory directory;
    FaultyDisk disk;
    {
        Database database{database_file(directory), Access::write};
        database.use_wal();
        database.execute("CREATE TABLE t (x)");
        database.execute("PRAGMA synchronous = OFF; INSERT INTO t VALUES (1)");
        const Database keeps_the_log{database_file(directory), Access::read};
        CHECK(database.integer("SELECT count(*) FROM t") == 1);
        disk.fail_at(1, Fault::error_onward);
    }
    disk.fail_at(0, Fault::none);
    disk.lose_unsynced();
    Database database{database_file(directory), Access::write};
    CHECK(database.integer("SELECT count(*) FROM t") == 0);
}

TEST_CASE("a broken disk fails every later write with the reason and the way out") {
    const TemporaryDirectory directory;
    {
        FaultyDisk disk;
        const auto store = open_owner(directory);
        const EngineId engine = store->engine(sample_engine());
        append_and_wait(*store, sample_fact(engine, 1));
        disk.fail_at(1, Fault::full_onward);
        const auto full = Contains("not stored: " + database_file(directory).string() +
                                   ": database or disk is full; free some space");
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)), full);
        CHECK_THROWS_WITH(store->recover(), full);
        disk.fail_at(0, Fault::none); // space is back, but nobody has tried
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 3)), full);
        CHECK_THROWS_WITH(store->engine(sample_engine(2)), full);
        CHECK_THROWS_WITH(store->flush(), full);
        CHECK(store->evaluation_count() == 1); // reading goes on
        CHECK(store->answer(sample_fact(engine, 1).question).has_value());
        store->recover();
        CHECK(append_and_wait(*store, sample_fact(engine, 2)).inserted);
    }
    const auto store = open_owner(directory);
    CHECK(store->evaluation_count() == 2);
    CHECK(append_and_wait(*store, sample_fact(EngineId{1}, 3)).inserted);
}
