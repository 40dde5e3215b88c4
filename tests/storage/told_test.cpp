// Those who are told of a write may fail; the writer does not.
#include "place.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;

TEST_CASE("a done that throws ends no process: from then on nothing is stored, and that is told") {
    const Place place{GENERATE(kinds())};
    {
        const auto store = open_owner(place);
        const EngineId engine = store->engine(sample_engine());
        for (int i = 0; i < 2; ++i) {
            store->append(sample_fact(engine, 1), [i](const auto&) {
                if (i == 0) {
                    throw std::runtime_error{"nobody listens"};
                }
                throw 5;
            });
        }
        CHECK_THROWS_WITH(store->flush(), Contains("could not be told"));
        CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)),
                          Contains("could not be told"));
        CHECK(all_facts(*store, engine).size() == 1);
    }
    CHECK(open_owner(place)->check().empty());
}
