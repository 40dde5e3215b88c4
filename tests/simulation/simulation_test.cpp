#include "simulate.hpp"

#include "test.hpp"

#include <numeric>

using namespace adjourn::simulation;

TEST_CASE("simulation: nothing is lost, asked twice or told wrong, whatever fails") {
    // With sanitizers seconds each; ./test deep runs 20,000 without.
    std::vector<std::uint64_t> seeds(35);
    std::iota(seeds.begin(), seeds.end(), 1);
    seeds.insert(seeds.end(), {1017, 1039, 1064, 3001, 4073}); // each has found a defect
    for (const std::uint64_t seed : seeds) {
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
