// Effort belongs to the fact and is stored with it: what an analysis asked for and what that cost.
#include "place.hpp"
#include "raw.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

Evaluation costing(EngineId engine, std::uint64_t n, std::uint64_t nodes, std::uint32_t ms) {
    Evaluation fact = sample_fact(engine, n);
    fact.nodes = nodes;
    fact.time_ms = ms;
    return fact;
}

} // namespace

TEST_CASE_METHOD(House, "an answer, who asked for it and what it cost are written together") {
    const AnalysisId two{insert_and_wait(*store, sample_analysis(engine, "two", 2)).id};
    std::vector<EvaluationId> first;
    for (const std::uint64_t n : {9, 3, 300}) {
        const auto written = write(Answered{costing(engine, n, 1'000 * n, 7), id});
        REQUIRE(written->inserted);
        first.push_back(EvaluationId{written->id});
    }
    REQUIRE(write(Answered{costing(engine, 77, 5, 1), two})->inserted);
    REQUIRE(append_and_wait(*store, costing(engine, 78, 9, 9)).inserted); // nobody asked
    std::ranges::sort(first);
    reopen();
    CHECK(store->asked(id) == first);
    CHECK(store->asked(two).size() == 1);
    CHECK(store->usage(id) == UsageRecord{id, 3, 312'000, 21});
    CHECK(store->usage(two) == UsageRecord{two, 1, 5, 1});
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(
    House, "an answer to a question answered before costs its effort, but is no new evaluation") {
    append_and_wait(*store, costing(engine, 1, 100, 10));
    CHECK_FALSE(write(Answered{costing(engine, 1, 150, 11), id})->inserted);
    CHECK(store->usage(id) == UsageRecord{id, 0, 150, 11});
    CHECK(store->asked(id).empty());
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(
    House, "what is paid on the way to an answer is no evaluation of the analysis, and its answer "
           "pays what it says") {
    CHECK(write(Answered{costing(engine, 1, 100, 10), id, Cost{100, 40}, true})->inserted);
    CHECK(store->usage(id) == UsageRecord{id, 0, 100, 40});
    CHECK(store->asked(id).empty());
    CHECK(write(Spent{id, {50, 5}}));
    CHECK(store->usage(id) == UsageRecord{id, 0, 150, 45});
    CHECK(write(Answered{costing(engine, 2, 400, 99), id, Cost{250, 54}})->inserted);
    CHECK(store->usage(id) == UsageRecord{id, 1, 400, 99});
    CHECK(store->asked(id).size() == 1);
    CHECK_FALSE(write(Spent{AnalysisId{99}, {50, 5}}));
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(House, "an answer that is refused costs nothing, one for nobody is kept") {
    Evaluation bad = costing(engine, 1, 100, 10);
    bad.depth = -1;
    CHECK_FALSE(write(Answered{bad, id}).has_value());
    CHECK(store->usage(id) == UsageRecord{.analysis = id});
    CHECK(write(Answered{costing(engine, 2, 100, 10), AnalysisId{99}})->inserted);
    CHECK(store->usage(AnalysisId{99}) == UsageRecord{.analysis = AnalysisId{99}});
    CHECK(store->asked(AnalysisId{99}).empty());
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(House, "who asked stays known when the analysis goes, and is never changed") {
    write(Answered{costing(engine, 1, 100, 10), id});
    store->remove(id, {});
    store->flush();
    CHECK(store->asked(id).size() == 1);
    CHECK(store->check().empty());
    store.reset();
    for (const char* sql : {"UPDATE asked SET analysis = 2", "DELETE FROM asked"}) {
        CHECK_THROWS_WITH(run_sql(place, sql), Catch::Contains("never"));
    }
}

TEST_CASE_METHOD(House, "sums of effort end at the largest number there is") {
    constexpr std::uint64_t most = 9'223'372'036'854'775'807U;
    REQUIRE(write(Answered{costing(engine, 1, ~std::uint64_t{0}, 1), id})->inserted);
    REQUIRE(write(Answered{costing(engine, 2, most, 1), id})->inserted);
    CHECK(store->usage(id) == UsageRecord{id, 2, most, 2});
    CHECK(store->check().empty());
}
