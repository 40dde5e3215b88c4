#include "simulate.hpp"

#include "test.hpp"

using namespace adjourn::simulation;

TEST_CASE("simulation: nothing is lost, asked twice or told wrong, whatever fails") {
    // With sanitizers three seconds each; ./test deep runs 20,000 without.
    constexpr std::uint64_t seeds = 40;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Plan plan;
        plan.seed = seed;
        const Run one = run(plan);
        if (!one.violation.empty()) {
            FAIL(report(plan, one));
        }
    }
}

TEST_CASE("simulation: the same seed goes the same way") {
    for (const std::uint64_t seed : {3, 4}) {
        Plan plan;
        plan.seed = seed;
        CHECK(run(plan).trace == run(plan).trace);
    }
}
