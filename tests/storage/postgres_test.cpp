// The store on PostgreSQL, as far as it is more than the interface says: schema, damage, trouble.
#include "contents.hpp"
#include "place.hpp"
#include "raw.hpp"

#include "storage/store_health.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
using namespace std::chrono_literals;

namespace {

// False, and told, where there is no PostgreSQL.
bool has_postgres() {
    const std::string missing = PostgresCluster::missing();
    if (!missing.empty()) {
        skip(missing);
    }
    return missing.empty();
}

std::string refusal(Store& store, const Evaluation& fact) {
    try {
        append_and_wait(store, fact);
        return "";
    } catch (const StoreError& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("postgresql: a newer schema, another program's database, and none are refused") {
    if (!has_postgres()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    CHECK_THAT(trouble_opening(url, OpenMode::read), Contains("there is no store in " + url));
    SECTION("newer") {
        open_owner(url);
        shared_cluster().sql(url, "UPDATE adjourn SET value = '99' WHERE name = 'version'");
        for (const OpenMode mode : {OpenMode::read, OpenMode::owner}) {
            CHECK_THAT(trouble_opening(url, mode), Contains("newer Adjourn (schema 99"));
        }
    }
    SECTION("damaged") {
        open_owner(url);
        for (const char* version : {"twelve", "-1", "99999999999"}) {
            shared_cluster().sql(url, std::string{"UPDATE adjourn SET value = '"} + version +
                                          "' WHERE name = 'version'");
            CHECK_THAT(trouble_opening(url, OpenMode::owner),
                       Contains("is damaged: its schema version is '" + std::string{version}));
        }
    }
    SECTION("a stranger's") {
        shared_cluster().sql(url, "CREATE TABLE analyses (blood text)");
        CHECK_THAT(trouble_opening(url, OpenMode::owner), Contains("of another program"));
        CHECK(shared_cluster().sql(url, "SELECT count(*) FROM pg_tables "
                                        "WHERE schemaname = 'public'") == "1\n");
    }
    SECTION("no such database") {
        std::string other = url;
        other.replace(other.find("/test"), 5, "/none");
        CHECK_THAT(trouble_opening(other, OpenMode::owner), Contains("does not exist"));
    }
}

TEST_CASE("postgresql: many facts in one group, with doubles and refusals among them") {
    if (!has_postgres()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    std::size_t inserted = 0, known = 0, refused = 0;
    for (std::uint64_t n = 0; n < 12'000; ++n) {
        Evaluation fact = sample_fact(n % 50 == 7 ? EngineId{9} : engine, n % 11'000);
        store->append(fact, [&](const auto& written) {
            ++(!written ? refused : written->inserted ? inserted : known);
        });
    }
    store->flush();
    CHECK(refused == 240);
    CHECK(inserted == 10'780); // more than are read at once
    CHECK(known + inserted + refused == 12'000);
    CHECK(store->evaluations_after(engine, EvaluationId{}, 20'000).size() == inserted);
    CHECK(store->evaluation_count() == inserted);
    CHECK(store->check().empty());
}

TEST_CASE("postgresql: a server that crashes, stops, stands still or locks loses nothing",
          "[reliability]") {
    if (!has_postgres()) {
        return;
    }
    PostgresCluster cluster; // which may be stopped, not the one that all share
    const std::string url = cluster.new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    StoreHealth health{*store, {}};
    StoreHealth::Moment now{};
    std::vector<Evaluation> acknowledged;
    for (const bool crashes : {true, false}) {
        CAPTURE(crashes);
        std::string trouble;
        std::atomic<int> stored = 0;
        // Facts are on their way while the server goes.
        std::thread away{[&] {
            stored.wait(0);
            crashes ? cluster.crash() : cluster.stop();
        }};
        for (std::uint64_t n = crashes ? 0 : 100'000; trouble.empty(); ++n) {
            const Evaluation fact = sample_fact(engine, n);
            trouble = refusal(*store, fact);
            if (trouble.empty()) {
                acknowledged.push_back(fact);
                ++stored;
                stored.notify_one();
            }
        }
        away.join();
        CHECK_THAT(trouble, Contains("not stored: " + url));
        health.failed(trouble, now);
        CHECK_FALSE(health.look(now += 1h)); // still away
        CHECK(health.problem() == trouble);
        CHECK_THROWS_AS(store->evaluation_count(), StoreError);
        CHECK(refusal(*store, sample_fact(engine, 1)) == trouble);
        cluster.start();
        CHECK(health.look(now += 1h));
        CHECK(health.problem() == "");
        for (const Evaluation& fact : acknowledged) {
            REQUIRE(without_id(store->answer(fact.question).value()) == fact);
        }
        CHECK(store->check().empty());
    }
    CHECK(acknowledged.size() >= 2);

    cluster.stop(); // while nothing is written
    CHECK(health.look(now += 1h));
    CHECK_THAT(health.problem(), Contains("is the server running"));
    CHECK_FALSE(health.look(now += 1h));
    cluster.start();
    CHECK(health.look(now += 1h));
    CHECK(health.problem() == "");

    CHECK(append_and_wait(*store, sample_fact(engine, 199'999)).inserted);
    const std::uint64_t known = store->writing().evaluations.value();
    const auto read = [&] { return store->evaluations(acknowledged[0].question.position, {}); };
    {
        cluster.freeze();   // it is not waited for without end
        const struct Thaw { // also where a check throws
            const PostgresCluster& cluster;
            ~Thaw() { cluster.thaw(); }
        } thaw{cluster};
        std::promise<std::string> told;
        store->append(sample_fact(engine, 200'000), [&](const auto& written) {
            told.set_value(written ? "" : written.error().why);
        });
        CHECK_THROWS_WITH(read(), Contains("does not answer") || Contains("timeout expired"));
        CHECK_THAT(store->environment().problem, Contains("does not answer"));
        CHECK(store->writing().evaluations == known); // from memory
        CHECK(store->writing().silent > 1s);          // the writer still waits
        CHECK(store->writing().broken == "");
        cluster.thaw();
        CHECK(told.get_future().get() == "");
    }
    CHECK(store->writing().evaluations == known + 1);
    CHECK(store->environment().problem == "");
    CHECK_FALSE(read().empty());

    // Held until it is cancelled, so that a busy machine has the time that it needs.
    auto locked = std::async(std::launch::async, [&] {
        cluster.sql(url, "BEGIN; LOCK TABLE evaluations; DO $$ BEGIN PERFORM pg_sleep(600); "
                         "EXCEPTION WHEN query_canceled THEN NULL; END $$; COMMIT");
    });
    std::string problem;
    while (problem.empty() && locked.wait_for(0s) != std::future_status::ready) {
        problem = store->environment().problem; // as soon as the lock is taken
    }
    CHECK_THAT(problem, Contains("lock timeout"));
    CHECK_THROWS_WITH(read(), Contains("lock timeout"));
    while (locked.wait_for(0s) != std::future_status::ready) { // it may not sleep yet
        cluster.sql(url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
                         "WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()");
    }
    locked.get();
    CHECK(store->environment().problem == "");
    CHECK_FALSE(read().empty());
    CHECK(store->check().empty());
}

TEST_CASE("postgresql: a store that somebody else took meanwhile is not written to") {
    if (!has_postgres()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    auto store = open_owner(url);
    store->announce("http://one", "one");
    const EngineId engine = store->engine(sample_engine());
    append_and_wait(*store, sample_fact(engine, 1));
    // An administrator ends the connections, and another Adjourn is quicker.
    shared_cluster().sql(url, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                              "WHERE application_name = 'adjourn' "
                              "AND datname = current_database()");
    auto other = open_owner(url);
    append_and_wait(*other, sample_fact(engine, 2));
    other->announce("http://other", "other");
    CHECK(announced_to_workers(url) == "other");
    CHECK_THAT(refusal(*store, sample_fact(engine, 3)), Contains("is in use by another Adjourn"));
    CHECK_THROWS_AS(store->recover(), StoreError);
    other.reset();
    CHECK_NOTHROW(store->recover());
    CHECK(append_and_wait(*store, sample_fact(engine, 3)).inserted);
    CHECK(store->evaluation_count() == 3);
    CHECK(store->check().empty());
    CHECK(announced_to_workers(url) == "one"); // who works there now
    CHECK_THAT(trouble_opening(url, OpenMode::owner), Contains("(http://one)"));
}

TEST_CASE("a build without PostgreSQL says so") {
    if (PostgresCluster::missing().find("this build") != std::string::npos) {
        CHECK_THAT(trouble_opening("postgresql:///games", OpenMode::owner),
                   Contains("this build has no PostgreSQL"));
    } else {
        CHECK_THAT(trouble_opening("postgresql:///games?host=/nowhere", OpenMode::owner),
                   Contains("postgresql:///games?host=/nowhere: ") &&
                       Contains("is the server running"));
    }
}
