// Follower: whoever reads a database learns what its owner makes durable, once.
#include "place.hpp"

#include "chess/notation.hpp"
#include "storage/follower.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

// All that there is to tell.
News all(Follower& follower) {
    News news = follower.next();
    for (bool more = news.more; more;) {
        const News next = follower.next();
        more = next.more;
        news.evaluations.insert(news.evaluations.end(), next.evaluations.begin(),
                                next.evaluations.end());
    }
    return news;
}

bool missing() {
    const std::string why = PostgresCluster::missing();
    if (!why.empty()) {
        skip(why);
    }
    return !why.empty();
}

} // namespace

TEST_CASE("a directory cannot be followed, a database without store neither") {
    const TemporaryDirectory directory;
    open_owner(directory.path());
    CHECK(open_follower(directory.path()) == nullptr);
    if (!missing()) {
        CHECK_THROWS_AS(open_follower(shared_cluster().new_database()), StoreError);
    }
}

TEST_CASE("a follower is told of facts, of who asked for them, and of analyses") {
    if (missing()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    append_and_wait(*store, sample_fact(engine, 0)); // before it follows
    const auto follower = open_follower(url);
    CHECK(all(*follower).empty());
    CHECK(follower->has_owner());

    const AnalysisId one{insert_and_wait(*store, sample_analysis(engine, "one", 1)).id};
    const AnalysisId two{insert_and_wait(*store, sample_analysis(engine, "two", 2)).id};
    News news = all(*follower);
    CHECK(news.analyses == std::vector{one, two});
    CHECK(news.seeded.empty());
    CHECK(news.evaluations.empty());
    CHECK(all(*follower).empty());

    std::vector<std::pair<Evaluation, AnalysisId>> wanted;
    for (std::uint64_t n = 1; n < 40; ++n) {
        const auto asked_by = n % 2 == 0 ? one : AnalysisId{};
        wanted.emplace_back(sample_fact(engine, n), asked_by);
        store->append(wanted.back().first, n % 2 == 0 ? std::optional{one} : std::nullopt,
                      [&wanted, i = wanted.size() - 1](const auto& written) {
                          wanted[i].first.id = EvaluationId{written->id};
                      });
    }
    store->flush();
    news = all(*follower);
    CHECK(news.evaluations == wanted);
    CHECK(news.analyses.empty());

    const auto line = *chess::parse_line(chess::Position::initial(), "e4 c5");
    const auto root = chess::Position::initial().after(line[0]).after(line[1]);
    store->append(SeedRecord{two, root.packed(), root.legal_moves()[0], "games.pgn", 5}, {});
    store->append(DirectiveRecord{0, one, root.packed(), std::nullopt, {}, "note", "!", 4}, {});
    store->flush();
    news = all(*follower);
    CHECK(news.analyses == std::vector{one, two});
    CHECK(news.seeded == std::vector{two});

    store->write(FileChange{{{0, one, 0, 0, 1, 0, "mine.pgn", 5}}}, {});
    store->flush();
    CHECK(all(*follower).analyses == std::vector{one});
    store->append(SnapshotRecord{0, two, 1, 4, "{}"}, {});
    store->flush();
    CHECK(all(*follower).analyses == std::vector{two});
    // The question is answered already, but its price is paid again.
    store->append(wanted.front().first, two, {});
    store->flush();
    news = all(*follower);
    CHECK(news.analyses == std::vector{two});
    CHECK(news.evaluations.empty());
    store->remove(one, {});
    store->flush();
    CHECK(all(*follower).analyses == std::vector{one});

    store.reset();
    CHECK_FALSE(follower->has_owner());
    CHECK(all(*follower).empty());
}

TEST_CASE("a follower is not told of what was refused") {
    if (missing()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    Evaluation wrong = sample_fact(engine, 1);
    wrong.question.limit = {analysis::Limit::Kind::nodes, 77};
    shared_cluster().sql(url, "ALTER TABLE evaluations ADD CHECK (limit_amount <> 77)");
    const auto follower = open_follower(url);
    bool refused = false;
    store->append(wrong, [&](const auto& written) { refused = !written; });
    store->append(sample_fact(engine, 2), {});
    store->flush();
    CHECK(refused);
    const auto told = shared_cluster().sql(url, "SELECT array_length(facts, 1) FROM changes "
                                                "WHERE facts <> '{}'");
    CHECK(told.starts_with("1"));
    CHECK(all(*follower).evaluations.size() == 1);
}

TEST_CASE("a follower reads much in portions, and says when it was away for too long") {
    if (missing()) {
        return;
    }
    const std::string url = shared_cluster().new_database();
    const auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    const auto follower = open_follower(url);
    for (std::uint64_t n = 0; n < 5'000; ++n) {
        store->append(sample_fact(engine, n), {});
        if (n % 500 == 0) {
            store->flush();
        }
    }
    store->flush();
    const News first = follower->next();
    CHECK(first.more);
    CHECK(first.evaluations.size() < 5'000);
    CHECK(first.evaluations.size() + all(*follower).evaluations.size() == 5'000);

    append_and_wait(*store, sample_fact(engine, 5'000));
    append_and_wait(*store, sample_fact(engine, 5'001));
    shared_cluster().sql(url,
                         "DELETE FROM changes WHERE number < (SELECT max(number) FROM changes)");
    CHECK(follower->next().missed);
    CHECK(all(*follower).empty());
    append_and_wait(*store, sample_fact(engine, 5'002));
    CHECK(all(*follower).evaluations.size() == 1);
}

TEST_CASE(
    "a follower misses nothing while the database is away, and a store for reading recovers") {
    if (missing()) {
        return;
    }
    PostgresCluster cluster;
    const std::string url = cluster.new_database();
    auto store = open_owner(url);
    const EngineId engine = store->engine(sample_engine());
    const auto follower = open_follower(url);
    const auto reading = open_store(url, OpenMode::read);
    CHECK(reading->environment().problem.empty());
    append_and_wait(*store, sample_fact(engine, 1));
    cluster.stop();
    CHECK_THROWS_AS(follower->next(), StoreError);
    CHECK(!reading->environment().problem.empty());
    CHECK_THROWS_AS(reading->recover(), StoreError);
    cluster.start();
    CHECK_NOTHROW(reading->recover());
    CHECK(reading->environment().problem.empty());
    CHECK(reading->evaluation_count() == 1);
    CHECK(all(*follower).evaluations.size() == 1);
}
