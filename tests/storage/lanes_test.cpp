// Who is waited for goes before a long queue.
#include "samples.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <future>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;

TEST_CASE("what people change is durable before the facts that wait already") {
    const TemporaryDirectory directory;
    const auto store = open_owner(directory);
    const EngineId engine = store->engine(sample_engine());
    constexpr std::uint64_t waiting = 5'000;
    std::promise<void> busy, all_queued;
    store->append(sample_fact(engine, 0), [&](const auto&) { // the writer waits here
        busy.set_value();
        all_queued.get_future().wait();
    });
    busy.get_future().wait();
    std::atomic<std::uint64_t> facts = 0;
    for (std::uint64_t n = 1; n <= waiting; ++n) {
        store->append(sample_fact(engine, n), [&](const auto&) { ++facts; });
    }
    AnalysisRecord analysis = sample_analysis(engine, "first", 1);
    std::vector<std::uint64_t> facts_before;
    const auto note = [&](const auto& written) {
        CHECK(written.has_value());
        facts_before.push_back(facts);
    };
    store->insert(analysis, note);
    analysis.id = AnalysisId{1};
    analysis.name = "second";
    store->update(analysis, note);
    all_queued.set_value();
    store->flush();
    CHECK(facts_before == std::vector<std::uint64_t>{0, 0});
    CHECK(facts == waiting);
    REQUIRE(store->analyses().size() == 1);
    CHECK(store->analyses().front().name == "second"); // in the order in which it was said
}

TEST_CASE("a long queue is cut short for whoever comes while it is written, and goes on") {
    const TemporaryDirectory directory;
    const auto store = open_owner(directory);
    const EngineId engine = store->engine(sample_engine());
    constexpr std::uint64_t count = 20'000;
    std::atomic<std::uint64_t> facts = 0;
    for (std::uint64_t n = 0; n < count; ++n) {
        store->append(sample_fact(engine, n), [&](const auto&) { ++facts; });
        if (n % 1'000 == 500) {
            store->insert(sample_analysis(engine, "n", 1), {});
        }
    }
    store->flush();
    CHECK(facts == count);
    CHECK(store->evaluation_count() == count);
    CHECK(store->analyses().size() == count / 1'000);
    CHECK(store->check().empty());
}
