// Facts read in portions are the facts read in one go.
#include "place.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

TEST_CASE("portions of an engine's facts, one after the other, are all of them") {
    const Place place{GENERATE(kinds())};
    const auto store = open_owner(place);
    const EngineId one = store->engine(sample_engine(1)), two = store->engine(sample_engine(2));
    for (std::uint64_t n = 0; n < 300; ++n) {
        store->append(sample_fact(n % 3 == 0 ? two : one, n), {});
    }
    store->flush();
    for (const EngineId engine : {one, two}) {
        for (const std::size_t most : {1, 7, 100, 1'000}) {
            std::vector<Evaluation> facts;
            EvaluationId last{};
            while (true) {
                const auto portion = store->evaluations_after(engine, last, most);
                facts.insert(facts.end(), portion.begin(), portion.end());
                if (portion.size() < most) {
                    break;
                }
                last = portion.back().id;
            }
            CHECK(facts == all_facts(*store, engine));
        }
    }
    CHECK(store->evaluations_after(EngineId{9}, {}, 10).empty());
}
