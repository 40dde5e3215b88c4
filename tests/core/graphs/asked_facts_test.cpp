#include "core/graphs/analysis_run.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("asked facts: each is there once, and no other") {
    AskedFacts asked;
    const auto every_third = [](std::int64_t i) { return analysis::EvaluationId{3 * i}; };
    for (std::int64_t i = 1; i <= 10'000; ++i) {
        asked.insert(every_third(i));
        asked.insert(every_third(1 + i / 2)); // again
    }
    CHECK(asked.size() == 10'000);
    std::size_t found = 0;
    for (std::int64_t id = 0; id <= 30'010; ++id) {
        found += asked.contains(analysis::EvaluationId{id}) ? 1 : 0;
    }
    CHECK(found == 10'000);
}

TEST_CASE("asked facts: no row is none") {
    AskedFacts asked;
    asked.insert(analysis::EvaluationId{});
    CHECK(asked.size() == 0);
    CHECK_FALSE(asked.contains(analysis::EvaluationId{}));
}
