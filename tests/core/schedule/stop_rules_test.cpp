// Analyses that end before their last level, and what is measured for it.
#include "core_fixture.hpp"

#include "api/views/view.hpp"

namespace {

analysis::AnalysisId create(CoreFixture& fixture, const char* fen, int refine,
                            const analysis::StopRules& stop) {
    NewAnalysis wanted = wanted_at(*chess::Position::from_fen(fen), "", refine);
    wanted.spec.strategy.move_distance = 5;
    wanted.spec.stop = stop;
    return fixture.create_settled(std::move(wanted));
}

analysis::AnalysisId prove(CoreFixture& fixture, const char* fen, int refine) {
    NewAnalysis wanted = wanted_at(*chess::Position::from_fen(fen), "", refine);
    wanted.spec.strategy = analysis::default_parameters("prove");
    wanted.spec.strategy.refine = refine;
    return fixture.create_settled(std::move(wanted));
}

constexpr const char* mate_next = "6k1/8/6K1/8/8/8/8/R7 w - - 0 1";

} // namespace

TEST_CASE("stop: a proven root ends the analysis, unless it is told to go on") {
    CoreAlone fixture;
    const auto proven = prove(fixture, mate_next, 0); // by strategy prove, with one question
    CHECK(fixture.run(proven).record.state_reason == "the result is proven");
    CHECK(fixture.bench.asked.size() == 1);
    const auto id = create(fixture, mate_next, 4, {});
    const json shown = analysis_json(*fixture.core, fixture.run(id));
    CHECK(shown["settled"] < 4);
    CHECK(shown["state"] == "settled");
    CHECK(shown["reason"] == "the result is proven");
    CHECK(shown["best"]["san"] == "Ra8#");
    CHECK(shown["stop"] == json{{"proven", true}, {"lead", 0}, {"levels", 2}});
    const auto other = create(fixture, mate_next, 4, {false, 0, 2});
    CHECK(fixture.run(other).plan.settled == 4);
    CHECK(fixture.run(other).record.state_reason.empty());
}

TEST_CASE(
    "stop: the record ends with what the analysis ended with, also where it ends earlier now") {
    CoreAlone fixture;
    const auto id = create(fixture, mate_next, 2, {});
    const AnalysisRun& run = fixture.run(id);
    const auto first = json::parse(run.snapshots.back().data)["alpha"];
    CHECK(first.contains("mate"));
    const std::vector<chess::Move> mate = *chess::parse_line(run.root, "Ra8#");
    for (const char* order : {"exclude", "clear"}) {
        REQUIRE(fixture.core->direct(id, mate, order, "").wait());
        fixture.settle(id);
        const json shown = analysis_json(*fixture.core, run);
        CHECK(json::parse(run.snapshots.back().data)["alpha"] == shown["best"]["alpha"]);
    }
    CHECK(json::parse(run.snapshots.back().data)["alpha"] == first);
    const std::size_t records = run.snapshots.size();
    REQUIRE(fixture.core->direct(id, mate, "include", "")
                .wait()); // nothing changes, nothing is recorded
    fixture.settle_down();
    CHECK(run.snapshots.size() == records);
}

TEST_CASE("stop: a root that the rules know settles once, without a question") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = create(fixture, "8/8/4k3/8/8/4K3/8/8 w - - 0 1", 0, {});
    CHECK(fixture.run(id).plan.settled == 1);
    CHECK(fixture.run(id).snapshots.size() == 1);
    CHECK(fixture.run(id).record.state_reason == "draw: dead position");
    CHECK(bench.asked.empty());
}

TEST_CASE("stop: a clear lead ends the analysis once the noise is known") {
    CoreAlone fixture;
    // 60 pairs or more for the noise.
    const auto first = fixture.create("1. e4 e5", 3, 25);
    fixture.settle(first);
    const json engine = engine_json(*fixture.core, *fixture.core->engines().all().front(), true);
    REQUIRE(engine["noise"].is_object());
    CHECK(engine["noise"]["pairs"] >= 30);
    CHECK(engine["noise"]["sigma_cp"] > 0);
    // It stays known while one of the engine's analyses has the pairs for it: a larger limit has a
    // graph of its own, and nothing in it yet.
    const auto noise = [&] {
        return fixture.core->graphs().noise_of(fixture.core->engines().all().front()->id);
    };
    const auto known = noise();
    REQUIRE(known);
    NewAnalysis larger{
        "x", chess::Position::initial(), {}, "", {analysis::Limit::Kind::depth, 30}, {}, 0, true};
    larger.spec.strategy = analysis::default_parameters("halving");
    REQUIRE(fixture.core->create(std::move(larger)).wait());
    CHECK(noise() == known);
    // Queen en prise: one move is better than all others by hundreds of centipawns.
    constexpr const char* won = "rnb1kbnr/pppp1ppp/8/4p3/3PP2q/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 1";
    const auto id = create(fixture, won, 6, {true, 2, 2});
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.plan.settled < 6);
    CHECK(run.plan.settled >= 2);
    CHECK(run.record.state_reason == "the best move is clear of the others");
    const auto without = create(fixture, won, 3, {});
    CHECK(fixture.run(without).plan.settled == 3);
}

TEST_CASE("prove: with a reproducible engine the same tree grows again, level by level") {
    std::vector<std::vector<std::string>> facts;
    for (int run = 0; run < 2; ++run) {
        CoreAlone fixture{1, true};
        const auto id = prove(fixture, "4k3/r7/8/8/8/8/P6R/4K3 w - - 0 1", 2);
        fixture.flush();
        facts.push_back(facts_of(*fixture.store, fixture.run(id).record.engine));
        CHECK(facts.back().size() > 10);
        CHECK(fixture.run(id).plan.settled >= 1);
    }
    CHECK(facts[0] == facts[1]);
}
