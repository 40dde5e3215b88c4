// Nothing ends the server: what goes wrong fails the analysis or the request that it belongs to.
#include "../storage/raw.hpp"
#include "api_fixture.hpp"
#include "core/guards/guard.hpp"

namespace {

json health(const TestApi& api, int status) {
    const http::Response response =
        api(http::Request{http::Method::get, "/api/v1/health", {}, {}, ""});
    INFO(response.body);
    CHECK(response.status == status);
    return json::parse(response.body);
}

} // namespace

TEST_CASE("guard: a store that takes nothing when an engine names itself is store_failed") {
    TemporaryDirectory directory;
    Bench bench;
    bench.missing = "it comes later";
    CoreFixture fixture{directory.path(), bench};
    storage::test::edit(directory.path(), "CREATE TRIGGER full BEFORE INSERT ON engines "
                                          "BEGIN SELECT RAISE(ABORT, 'no space left'); END");
    bench.identify(); // is to be written
    fixture.settle_down();
    const TestApi api{fixture};
    const json body = health(api, 503);
    CHECK(body["status"] == "store_failed");
    CHECK(body["problem"].get<std::string>().find("no space left") != std::string::npos);
    const EngineSlot& engine = *fixture.core->engines().all().front();
    CHECK(engine.problem.find("no space left") != std::string::npos);
    NewAnalysis wanted{"", chess::Position::initial(), {}, "", {}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    CHECK_FALSE(fixture.core->create(std::move(wanted)).wait());
    CHECK(bench.asked.empty());
}

TEST_CASE("guard: whichever write is the first to fail, the store has failed, or has refused it") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const TestApi api{fixture};
    fixture.create("", 2);
    fixture.settle_down();
    // An answer that is refused for what it says: the question has failed, and no more.
    storage::test::edit(directory.path(), "CREATE TRIGGER no BEFORE INSERT ON evaluations "
                                          "BEGIN SELECT RAISE(ABORT, 'not this one'); END");
    REQUIRE(bench.step());
    fixture.settle_down();
    CHECK(health(api, 200)["status"] == "ok");
    CHECK(fixture.run(analysis::AnalysisId{1}).record.state == storage::AnalysisState::failed);
    // A table that is gone is a broken environment: met by a person's call first.
    storage::test::edit(directory.path(), "ALTER TABLE directives RENAME TO lost");
    CHECK_FALSE(fixture.core->direct(analysis::AnalysisId{1}, {}, "note", "x").wait());
    const json body = health(api, 503);
    CHECK(body["status"] == "store_failed");
    CHECK(body["problem"].get<std::string>().find("directives") != std::string::npos);
}

TEST_CASE("guard: analyses of an engine whose row is damaged fail, others go on") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("", 1);
        fixture.work_until([&] { return fixture.settled(id); });
        REQUIRE(fixture.settled(id));
    }
    storage::test::damage(directory.path(), "UPDATE engines SET name = 'Simulatee 1.0'");
    bench.asked.clear();
    {
        CoreFixture fixture{directory.path(), bench};
        const TestApi api{fixture};
        CHECK(fixture.run(id).record.state == storage::AnalysisState::failed);
        const json body = health(api, 503);
        CHECK(body["status"] == "store_failed");
        CHECK(body["set_aside"][0].get<std::string>().find("engine 1 is damaged") !=
              std::string::npos);
        // Tried again when a person says so; a new one of the same engine is no better off.
        AnalysisPatch go_on;
        go_on.hold = false;
        CHECK(fixture.core->change(id, go_on).wait());
        CHECK(fixture.run(id).record.state == storage::AnalysisState::failed);
        const auto other = fixture.create("", 1);
        fixture.settle_down();
        CHECK(fixture.run(other).record.state == storage::AnalysisState::failed);
        CHECK(bench.asked.empty());
    }
    // Another engine's facts are sound, and so is the work on them.
    bench.name = "Simulated 2.0";
    CoreFixture fixture{directory.path(), bench};
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

TEST_CASE("guard: an exception in the work on one analysis fails that one") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto bad = fixture.create("1. e4", 1);
    const auto good = fixture.create("1. d4", 1);
    fixture.core->on_progress = [&](const AnalysisRun& run) {
        if (run.record.id == bad && run.record.state != storage::AnalysisState::failed) {
            throw std::logic_error{"a fault of the program"};
        }
    };
    fixture.work_until([&] { return fixture.settled(good); });
    CHECK(fixture.settled(good));
    CHECK(fixture.run(bad).record.state == storage::AnalysisState::failed);
    const std::string reason = fixture.run(bad).record.state_reason;
    CHECK(reason == "in the work on analysis 1: a fault of the program");
    const TestApi api{fixture};
    CHECK(health(api, 200)["status"] == "ok");
}

TEST_CASE("guard: nothing is asked where the disk has too little room") {
    TemporaryDirectory directory;
    Bench bench;
    bench.least_free = std::uint64_t{1} << 62;
    CoreFixture fixture{directory.path(), bench};
    const TestApi api{fixture};
    fixture.core->look_after();
    NewAnalysis wanted{"", chess::Position::initial(), {}, "", {}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    CHECK_FALSE(fixture.core->create(std::move(wanted)).wait());
    fixture.settle_down();
    CHECK(bench.asked.empty());
    CHECK(health(api, 503)["problem"].get<std::string>().find("the disk is nearly full") !=
          std::string::npos);
}
