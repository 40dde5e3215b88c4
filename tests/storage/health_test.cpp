// Who notices that the store cannot be written to, and when it goes on.
#include "contents.hpp"
#include "faulty_disk.hpp"
#include "place.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "storage/store_health.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

TEST_CASE("health: a store that failed is tried again with growing pauses, and goes on") {
    const TemporaryDirectory directory;
    FaultyDisk disk;
    const auto store = open_owner(directory);
    const EngineId engine = store->engine(sample_engine());
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    CHECK_FALSE(health.look(now += 1h));
    disk.fail_at(1, Fault::full_onward);
    try {
        append_and_wait(*store, sample_fact(engine, 1));
        FAIL("a full disk took it");
    } catch (const StoreError& error) {
        health.failed(error.what(), now);
    }
    CHECK_THAT(health.problem(), Contains("full; free some space"));
    std::vector<int> tries;
    for (int second = 1; second <= 25; ++second) {
        const std::uint64_t before = disk.operations();
        CHECK_FALSE(health.look(now + second * 1s));
        if (disk.operations() != before) {
            tries.push_back(second);
        }
    }
    CHECK(tries == std::vector{1, 3, 7, 11, 15, 19, 23}); // however long it lasts: 4 s at most
    CHECK_THAT(health.problem(), Contains("full; free some space"));
    disk.fail_at(0, Fault::none);
    CHECK_FALSE(health.look(now + 26s));
    CHECK(health.look(now + 27s));
    CHECK(health.problem() == "");
    CHECK(append_and_wait(*store, sample_fact(engine, 1)).inserted);
    CHECK_FALSE(health.look(now + 400s));
}

TEST_CASE("health: too little space is told before the disk is full") {
    const TemporaryDirectory directory;
    const auto store = open_owner(directory);
    StoreHealth health{*store, {.least_free = std::numeric_limits<std::uint64_t>::max() / 4}};
    StoreHealth::Moment now{};
    CHECK(health.look(now += 1h));
    CHECK_THAT(health.problem(), Contains("the disk is nearly full: ") && Contains(" MB are free"));
    CHECK_FALSE(health.look(now += 1h)); // the same
    CHECK(append_and_wait(*store, sample_fact(store->engine(sample_engine()), 1)).inserted);
    StoreHealth roomy{*store, {.least_free = 1'000}};
    CHECK_FALSE(roomy.look(now));
    CHECK(roomy.problem() == "");
}

TEST_CASE("health: files that are removed or replaced under the server are noticed") {
    const TemporaryDirectory place;
    const fs::path directory = place.path() / "data", aside = place.path() / "aside";
    auto store = open_owner(directory);
    const EngineId engine = store->engine(sample_engine());
    append_and_wait(*store, sample_fact(engine, 1));
    CHECK(store->environment().problem == "");
    CHECK(store->environment().free_bytes > 0);
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    CHECK_FALSE(health.look(now += 1h));
    SECTION("the whole directory, which comes back") {
        fs::rename(directory, aside);
        CHECK(health.look(now += 3s));
        CHECK_THAT(health.problem(),
                   Contains((directory / "adjourn.db").string() + " was removed"));
        CHECK_FALSE(health.look(now += 1h));
        fs::rename(aside, directory);
        CHECK(health.look(now += 1h));
        CHECK(append_and_wait(*store, sample_fact(engine, 2)).inserted);
    }
    SECTION("the file, by another") {
        fs::copy_file(database_file(directory), aside);
        fs::rename(aside, database_file(directory));
        CHECK(health.look(now += 3s));
        CHECK_THAT(health.problem(), Contains("was replaced while it was in use"));
        CHECK_THROWS_WITH(store->recover(), Contains("was replaced"));
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)),
                          Contains("was replaced"));
        CHECK_THROWS_WITH(store->flush(), Contains("was replaced"));
    }
    SECTION("the file, cut off") {
        append_and_wait(*store, sample_fact(engine, 2)); // what is written sees the file's size
        fs::resize_file(database_file(directory), 4'096);
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 3)),
                          Contains("adjourn.db was cut off while it was in use"));
        CHECK_THROWS_WITH(store->recover(), Contains("was cut off"));
        CHECK_THROWS_WITH(store->flush(), Contains("was cut off"));
    }
    SECTION("the log, cut off") {
        const fs::path log = database_file(directory).string() + "-wal";
        const std::uintmax_t left = GENERATE(0, 4'096, 9'000);
        REQUIRE(fs::file_size(log) > left);
        fs::resize_file(log, left);
        CHECK_THROWS_WITH(store->flush(),
                          Contains("adjourn.db-wal was cut off while it was in use"));
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)), Contains("was cut off"));
        CHECK_THROWS_WITH(store->recover(), Contains("was cut off"));
        store.reset(); // and copies nothing of what is left over the file
        store = open_owner(directory);
        CHECK_THAT(store->environment().missing, Contains("older than what was acknowledged"));
        store->accept_missing();
        CHECK(store->check().empty());
    }
    SECTION("what was cut while nobody wrote is not copied over the file at the end") {
        const fs::path log = database_file(directory).string() + "-wal";
        const int share = GENERATE(10, 30, 50, 70, 90); // in the middle of many commits
        // The log of a store that was just made has an old end, beyond facts that had few commits.
        store.reset();
        store = open_owner(directory);
        for (std::uint64_t n = 2; n < 400; ++n) {
            store->append(sample_fact(engine, n), {});
        }
        store->flush();
        fs::resize_file(log, fs::file_size(log) * static_cast<std::uintmax_t>(share) / 100);
        store.reset();
        store = open_owner(directory);
        CHECK_THAT(store->environment().missing, Contains("older than what was acknowledged"));
        store->accept_missing();
        CHECK(store->check().empty());
    }
    SECTION("a log that another program takes into the file and cuts is no trouble") {
        append_and_wait(*store, sample_fact(engine, 2));
        {
            Database other{database_file(directory), Access::write};
            CHECK(other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0);
            CHECK(fs::file_size(database_file(directory).string() + "-wal") == 0);
            CHECK(append_and_wait(*store, sample_fact(engine, 3)).inserted);
            other.execute("VACUUM");
            CHECK(other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0);
        }
        CHECK(append_and_wait(*store, sample_fact(engine, 4)).inserted);
        CHECK(store->check().empty());
    }
    SECTION("the log") {
        fs::remove(database_file(directory).string() + "-wal");
        CHECK(health.look(now += 3s));
        CHECK_THAT(health.problem(), Contains("adjourn.db-wal was removed"));
    }
}

TEST_CASE("health: what reads find damaged does not heal by a write, but is known at last") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    {
        Database database{database_file(directory), Access::read};
        const auto root =
            static_cast<std::size_t>(database.integer("SELECT rootpage FROM sqlite_schema "
                                                      "WHERE name = 'snapshots_by_analysis'"));
        std::string whole = read_file(database_file(directory));
        whole[(root - 1) * 4'096] = 1; // no page is of that type
        write_file(database_file(directory), whole);
    }
    const auto store = open_owner(directory);
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    CHECK_FALSE(health.look(now += 1h)); // nothing was read yet
    std::vector<std::string> told;
    const auto snapshots =
        store->snapshots(AnalysisId{1}, [&](const std::string& row) { told.push_back(row); });
    CHECK(snapshots.size() == 3); // without the index
    CHECK(told.empty());          // nothing is lost
    CHECK(health.look(now += 3s));
    CHECK_THAT(health.problem(), Contains("malformed; the file is damaged"));
    CHECK(append_and_wait(*store, sample_fact(EngineId{1}, 100)).inserted);
    CHECK_NOTHROW(store->recover());
    for (int i = 0; i < 5; ++i) {
        CHECK_FALSE(health.look(now += 1h));
    }
    CHECK_FALSE(health.problem().empty());
    SECTION("a write fails besides") {
        health.failed("some other reason", now);
        CHECK_THAT(health.problem(), Contains("malformed"));
    }
    SECTION("after a write has failed") {
        StoreHealth other{*store, {}};
        other.failed("some other reason", now);
        CHECK_FALSE(other.look(now + 1h));
        other.damage_is_known();
        CHECK(other.look(now + 2h));
        CHECK(other.problem() == "");
    }
    health.damage_is_known();
    CHECK(health.look(now));
    CHECK(health.problem() == "");
    CHECK_FALSE(health.look(now += 1h));
}

TEST_CASE("a lock file that somebody removed lets no second owner in") {
    const TemporaryDirectory directory;
    auto first = open_owner(directory);
    REQUIRE(fs::remove(directory.path() / "lock"));
    CHECK_THAT(trouble_opening(directory, OpenMode::owner),
               Contains("is in use by another Adjourn"));
    first.reset();
    CHECK(trouble_opening(directory, OpenMode::owner) == "");
}

TEST_CASE("health: a look that does not come back is told of, and what comes after it is seen") {
    const TemporaryDirectory directory;
    const auto store = open_owner(directory);
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    bool changed = false;
    REQUIRE(health.due(now += 1h, changed));
    CHECK_FALSE(health.due(now += 1h, changed)); // one is under way; and who was asleep himself …
    for (int i = 0; i < 4; ++i) {
        CHECK_FALSE(changed);
        CHECK_FALSE(health.silent());
        CHECK_FALSE(health.due(now += 200ms, changed));
    }
    CHECK_FALSE(health.due(now += 200ms, changed));
    CHECK(changed);
    CHECK(health.silent());
    CHECK_THAT(health.problem(), Contains("does not answer"));
    health.saw(StoreHealth::look_at(*store, {}), now += 1h); // it came back at last
    changed = false;
    REQUIRE(health.due(now, changed)); // a write is tried at once
    CHECK(health.what_to_try().write);
    CHECK(health.saw(StoreHealth::look_at(*store, health.what_to_try()), now));
    CHECK(health.problem() == "");
    CHECK_FALSE(health.silent());
}

TEST_CASE("health: a store that nobody writes to is not waited for") {
    const House house;
    const auto rests = [&] {
        const auto end = std::chrono::steady_clock::now() + 1min;
        while (house.store->writing().silent != 0s && std::chrono::steady_clock::now() < end) {
            std::this_thread::yield(); // until the writer's thread rests
        }
        return house.store->writing().silent == 0s;
    };
    CHECK(rests()); // it was asked while it was opened
    CHECK(append_and_wait(*house.store, sample_fact(house.engine, 1)).inserted);
    CHECK(rests());
    CHECK(house.store->evaluations(sample_fact(house.engine, 1).question.position, {}).size() == 1);
    CHECK(house.store->writing().silent == 0s);
}
