// What people are told of an analysis: its state, how far it is, how long it will take. What was
// reached stays until something changes it.
#include "api/views/view.hpp"
#include "core_fixture.hpp"

using storage::AnalysisState;

namespace {

analysis::AnalysisId held_at_level(CoreFixture& fixture, int level) {
    const auto id = fixture.create(ruy_lopez, 5, 12);
    fixture.work_until([&] { return settled_level(fixture.run(id)) >= level; });
    fixture.hold(id);
    fixture.work_until([&] { return fixture.run(id).out.in_flight == 0; });
    REQUIRE(settled_level(fixture.run(id)) >= level);
    REQUIRE(settled_level(fixture.run(id)) < 5);
    return id;
}

nlohmann::json shown(const CoreFixture& fixture, analysis::AnalysisId id) {
    return analysis_json(*fixture.core, fixture.run(id));
}

} // namespace

TEST_CASE(
    "states: settled analyses stay settled, and those at work run between two questions, too") {
    CoreAlone fixture{1};
    std::vector<analysis::AnalysisId> done, at_work;
    for (const char* moves : {"1. a3", "1. h3", "1. a4"}) {
        done.push_back(fixture.create(moves, 1));
    }
    for (const auto id : done) {
        fixture.settle(id);
    }
    for (const char* moves : {"1. e4", "1. d4", "1. c4", "1. Nf3"}) {
        at_work.push_back(fixture.create(moves, 0, 30));
    }
    fixture.work_until([&] {
        return std::ranges::all_of(at_work,
                                   [&](auto id) { return fixture.run(id).out.served > 0; });
    });
    for (int i = 0; i < 60; ++i) {
        REQUIRE(fixture.work_until([] { return false; }, 1) == 1);
        fixture.pass(50);
        REQUIRE(std::ranges::all_of(done, [&](auto id) { return fixture.settled(id); }));
        REQUIRE(std::ranges::all_of(at_work, [&](auto id) {
            return fixture.run(id).record.state == AnalysisState::running;
        }));
    }
}

TEST_CASE("states: what people say of deep moves takes no settled level away") {
    CoreAlone fixture;
    const auto id = held_at_level(fixture, 3);
    const int level = settled_level(fixture.run(id));
    const auto best = shown(fixture, id)["best"];
    const auto line = line_of(fixture.run(id), "3... h5 4. h4 a5");
    fixture.direct(id, line, "exclude");
    fixture.settle_down();
    fixture.direct(id, line, "clear");
    fixture.settle_down();
    CHECK(shown(fixture, id)["settled"] == level);
    CHECK(shown(fixture, id)["refine"] == level + 1);
    CHECK(shown(fixture, id)["best"] == best);

    fixture.direct(id, line, "include");
    fixture.settle_down();
    CHECK(shown(fixture, id)["settled"] == level);

    AnalysisPatch later; // outside its hours
    later.window = std::optional{an_hour_after(fixture.clock)};
    later.hold = false;
    fixture.change(id, later);
    fixture.settle_down();
    CHECK(shown(fixture, id)["settled"] == level);
    CHECK(shown(fixture, id)["best"] == best);

    AnalysisPatch go_on;
    go_on.window = std::optional<TimeWindow>{};
    fixture.change(id, go_on);
    int lowest = level;
    fixture.work_until([&] {
        lowest = std::min(lowest, settled_level(fixture.run(id)));
        return fixture.settled(id);
    });
    CHECK(lowest == level);
    CHECK(shown(fixture, id)["settled"] == 5);

    AnalysisPatch other_rules; // is another tree
    other_rules.limit = analysis::Limit{analysis::Limit::Kind::depth, 9};
    other_rules.hold = true;
    fixture.change(id, other_rules);
    fixture.settle_down();
    CHECK(shown(fixture, id)["settled"] == 0);
}

TEST_CASE("states: how long it takes is told from the third level on, as a range") {
    CoreAlone fixture;
    const auto id = fixture.create(ruy_lopez, 5, 12);
    std::map<int, bool> told; // by the settled level
    fixture.work_until([&] {
        const AnalysisRun& run = fixture.run(id);
        const auto remaining = fixture.core->planner().remaining(run);
        if (settled_level(run) == 3 && !told.contains(3)) {
            const auto a = shown(fixture, id);
            CHECK(a["eta_range"][0] <= a["eta_seconds"]);
            CHECK(a["eta_seconds"] <= a["eta_range"][1]);
        }
        told[settled_level(run)] = remaining.has_value();
        CHECK((!remaining || remaining->least <= remaining->most));
        return fixture.settled(id);
    });
    CHECK(!told[1]);
    CHECK(!told[2]);
    CHECK(told[3]);
    CHECK(told[4]);
    CHECK(!told[5]);
}

TEST_CASE("states: settled is said of the present rules only") {
    CoreAlone fixture;
    const auto id = fixture.create(ruy_lopez, 2, 12);
    const auto change = [&](const auto& how) {
        AnalysisPatch patch;
        how(patch);
        fixture.change(id, patch);
    };
    fixture.settle(id);
    const auto counts = shown(fixture, id)["evaluations"];
    CHECK(counts["new"] > counts["unneeded"]);

    // What is no rule changes nothing.
    change([](AnalysisPatch& patch) { patch.name = "another"; });
    fixture.direct(id, {}, "note", "a thought");
    CHECK(fixture.settled(id));
    CHECK(shown(fixture, id)["evaluations"] == counts);

    // Another limit: nothing is settled, and nothing is said to be, at any moment.
    change([](AnalysisPatch& patch) {
        patch.limit = analysis::Limit{analysis::Limit::Kind::depth, 9};
    });
    CHECK(shown(fixture, id)["state"] == "queued");
    CHECK(shown(fixture, id)["settled"] == 0);
    fixture.work_until([&] {
        CHECK((!fixture.settled(id) || settled_level(fixture.run(id)) == 2));
        return fixture.settled(id);
    });
    CHECK(shown(fixture, id)["settled"] == 2);

    // A further level, outside its hours.
    const TimeWindow later = an_hour_after(fixture.clock);
    change([&](AnalysisPatch& patch) {
        patch.strategy = fixture.run(id).spec.strategy;
        patch.strategy->refine = 3;
        patch.window = std::optional{later};
    });
    fixture.settle_down();
    CHECK(shown(fixture, id)["state"] == "queued");
    CHECK(shown(fixture, id)["reason"] == "waits for " + later.text());
    CHECK(shown(fixture, id)["settled"] == 2);
    CHECK(shown(fixture, id)["refine"] == 3);

    // The same with nothing left of the budget.
    change([&](AnalysisPatch& patch) {
        patch.window = std::optional<TimeWindow>{};
        patch.budget = Budget{};
        patch.budget->positions = 1;
    });
    fixture.settle_down();
    CHECK(shown(fixture, id)["state"] == "exhausted");
    change([](AnalysisPatch& patch) { patch.budget = Budget{}; });
    fixture.settle(id);
    CHECK(shown(fixture, id)["settled"] == 3);

    // What was asked before can be left out again, and then it has settled at once.
    const auto line = line_of(fixture.run(id), "3... h5");
    fixture.direct(id, line, "exclude");
    fixture.settle(id);
    fixture.direct(id, line, "clear");
    CHECK(shown(fixture, id)["state"] == "queued");
    fixture.settle_down();
    CHECK(fixture.settled(id));
}

TEST_CASE("states: a level that settles as the store fails is recorded once it can write again") {
    const auto grown = [](CoreFixture& fixture, std::size_t most) {
        const auto id = fixture.create(ruy_lopez, 1, 12);
        return std::pair{id, fixture.work_until([&] { return fixture.settled(id); }, most)};
    };
    std::size_t answers = 0;
    {
        CoreAlone fixture;
        answers = grown(fixture, 1'000).second;
    }
    CoreAlone fixture;
    const auto id = grown(fixture, answers - 1).first;
    REQUIRE_FALSE(fixture.settled(id));
    REQUIRE(fixture.bench.step());
    fixture.flush(); // the last answer is in the store; the core has yet to hear of it
    const auto file = fixture.directory.path() / "adjourn.db";
    const auto away = fixture.directory.path() / "away";
    std::filesystem::rename(file, away);
    fixture.settle_down();
    REQUIRE(settled_level(fixture.run(id)) == 1);
    CHECK(fixture.store->snapshots(id).empty());
    std::filesystem::rename(away, file);
    for (int i = 0; i < 600 && fixture.store->snapshots(id).empty(); ++i) {
        fixture.pass(100); // it is tried after a second
    }
    CHECK(fixture.core->health().store_problem().empty());
    fixture.pass(2'000); // once
    REQUIRE(fixture.store->snapshots(id).size() == 1);
    CHECK(fixture.store->snapshots(id).front().refine == 1);
}
