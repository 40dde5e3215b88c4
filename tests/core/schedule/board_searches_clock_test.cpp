// Board searches last by a clock that nobody sets.
#include "core_fixture.hpp"

namespace adjourn::server {

TEST_CASE("board search: a clock that is set neither ends them nor keeps their processes") {
    const analysis::UnixMs by = GENERATE(-86'400'000, 86'400'000);
    CAPTURE(by);
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 1);
    fixture.settle_down();
    const auto look = fixture.core->long_searches().begin(fixture.run(id), {});
    REQUIRE(look);
    const auto reserved = [&] { return fixture.core->engines().dispatcher()->reserved(); };
    fixture.pass(200);
    fixture.set_by = by;
    fixture.pass(LongSearches::patience - 201);
    CHECK((*look)->ended.empty());
    fixture.pass(1);
    CHECK((*look)->ended == "nobody looked any more");
    fixture.set_by = 0;
    fixture.pass(LongSearches::warm - 1);
    CHECK(reserved() == 1);
    fixture.set_by = by;
    fixture.pass(1);
    CHECK(reserved() == 0);
}

} // namespace adjourn::server
