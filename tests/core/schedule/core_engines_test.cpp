// Core, engines that change while it runs: nothing is asked twice that was answered, and analyses
// go on with whoever has the name of their engine now.
#include "core_fixture.hpp"

namespace adjourn::server {

namespace {

std::string reason_of(const CoreFixture& fixture, analysis::AnalysisId id) {
    return fixture.run(id).record.state_reason;
}

} // namespace

TEST_CASE("core: an engine that is the same is not disturbed by a change of others") {
    const TemporaryDirectory directory;
    Bench bench, second;
    second.name = "Second 1.0";
    CoreFixture fixture{directory.path(), bench};
    fixture.others.emplace("second", &second);
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return bench.asked.size() > 20; });
    const auto out = bench.queue.size();
    REQUIRE(out > 0);
    fixture.core->set_engines(
        {profile_of("second", "second"), fixture.core->engines().all().front()->profile});
    fixture.settle_down();
    CHECK_FALSE(bench.stopped);
    CHECK(bench.queue.size() == out);
    REQUIRE(fixture.core->engines().all().size() == 2);
    CHECK(fixture.core->engines().all().front()->profile.name == "second");
    CHECK(fixture.core->engines().all().front()->identity->name == "Second 1.0");
    fixture.settle(id);
    CHECK(second.asked.empty());
}

TEST_CASE("core: another engine under the name grows the tree anew, the old answers stay") {
    const TemporaryDirectory directory;
    Bench bench, second;
    second.name = "Second 1.0";
    second.seed = 2;
    CoreFixture fixture{directory.path(), bench};
    fixture.others.emplace("second", &second);
    const auto id = fixture.create(ruy_lopez, 2);
    fixture.settle(id);
    const auto old = fixture.run(id).record.engine;
    const auto facts = facts_of(*fixture.store, old);
    fixture.core->set_engines({profile_of("simulated", "second")});
    fixture.settle_down();
    CHECK(fixture.run(id).record.engine != old);
    while (second.step()) {
        fixture.settle_down();
    }
    CHECK(fixture.settled(id));
    CHECK(facts_of(*fixture.store, old) == facts);
    CHECK_FALSE(facts_of(*fixture.store, fixture.run(id).record.engine).empty());
}

TEST_CASE("core: an analysis whose engine has gone says so, and goes on when it is back") {
    const TemporaryDirectory directory;
    Bench bench, second;
    second.name = "Second 1.0";
    CoreFixture fixture{directory.path(), bench};
    fixture.others.emplace("second", &second);
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return bench.asked.size() > 20; });
    const auto first = fixture.core->engines().all().front()->profile;
    fixture.told->forget();
    fixture.core->set_engines({profile_of("second", "second")});
    fixture.settle_down();
    CHECK(bench.stopped);
    CHECK(bench.queue.empty());
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(reason_of(fixture, id) == "no engine is named 'simulated' in the config");
    CHECK(std::ranges::count(fixture.told->engines, "simulated") == 1);
    CHECK(fixture.run(id).out.in_flight == 0);
    fixture.core->set_engines({first, profile_of("second", "second")});
    fixture.settle_down();
    CHECK(fixture.made.size() == 3); // the first, the second, the first again
    fixture.settle(id);
}

TEST_CASE("core: stopping waits for engines that were sent away before") {
    const TemporaryDirectory directory;
    Bench bench, second;
    {
        CoreFixture fixture{directory.path(), bench};
        fixture.others.emplace("second", &second);
        fixture.create(ruy_lopez, 3);
        fixture.core->set_engines({profile_of("second", "second")});
    }
    CHECK(bench.stopped);
    CHECK(second.stopped);
}

} // namespace adjourn::server
