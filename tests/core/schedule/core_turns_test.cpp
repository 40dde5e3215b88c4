// The scheduler: who gets the next question, and what keeps an analysis from it.
#include "core_fixture.hpp"

TEST_CASE("core: pause lets go, resume goes on") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return bench.asked.size() > 20; });
    fixture.hold(id);
    fixture.work_until([] { return false; });
    CHECK(bench.queue.empty());
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::paused);
    CHECK(fixture.run(id).out.in_flight == 0);
    fixture.pass(1000);
    CHECK(bench.asked.size() == asked);
    fixture.hold(id, false);
    fixture.settle(id);
}

TEST_CASE("core: higher priority goes first, and only one analysis where that was said") {
    CoreAlone fixture;
    const auto low = fixture.create("1. a3", 0, 30);
    const auto one = fixture.create("1. e4", 0, 30, 5);
    const auto two = fixture.create("1. d4", 0, 30, 5);
    const std::size_t before = static_cast<std::size_t>(fixture.run(low).out.served);
    fixture.work_until(
        [&] { return fixture.run(one).out.served + fixture.run(two).out.served > 200; });
    CHECK(fixture.run(low).out.served < before + 30); // only when the others had nothing to ask
    fixture.core->work_only_on(low);
    const auto others = [&] { return fixture.run(one).out.served + fixture.run(two).out.served; };
    const auto served = others();
    fixture.work_until([&] { return fixture.run(low).out.served > before + 60; });
    CHECK(fixture.run(low).out.served > before + 60);
    CHECK(others() == served);
}

TEST_CASE("core: who is put ahead of an older analysis gets more, also after a pause") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    std::vector<analysis::AnalysisId> ids;
    for (const char* moves : {"1. e4", "1. d4", "1. c4"}) {
        ids.push_back(fixture.create(moves, 0, 30));
    }
    const auto work = [&](std::size_t questions) {
        std::vector<double> before;
        for (const auto id : ids) {
            before.push_back(static_cast<double>(fixture.run(id).out.served));
        }
        const std::size_t asked = bench.asked.size();
        fixture.work_until([&] { return bench.asked.size() >= asked + questions; });
        for (std::size_t i = 0; i < ids.size(); ++i) {
            before[i] = static_cast<double>(fixture.run(ids[i]).out.served) - before[i];
        }
        return before;
    };
    work(30);
    auto served = work(220);
    for (const double each : served) {
        CHECK(each == Approx(220.0 / 3).margin(6));
    }

    AnalysisPatch to_the_top;
    to_the_top.rank = -1000;
    fixture.change(ids[2], to_the_top);
    CHECK(fixture.core->queue().runs().front()->record.id == ids[2]);
    served = work(220);
    CHECK(served[2] == Approx(110).margin(6));
    CHECK(served[0] == Approx(55).margin(6));
    CHECK(served[1] == Approx(55).margin(6));

    fixture.hold(ids[1]);
    served = work(300);
    CHECK(served[1] == 0);
    fixture.hold(ids[1], false);
    served = work(220); // what it missed is not made up for
    CHECK(served[1] == Approx(55).margin(6));

    AnalysisPatch urgent;
    urgent.priority = 1;
    fixture.change(ids[1], urgent);
    CHECK(fixture.core->queue().runs().front()->record.id == ids[1]);
    const auto last = fixture.create("1. g3", 0, 30);
    CHECK(fixture.core->queue().runs().back()->record.id == last);
}

TEST_CASE("core: budgets exhaust an analysis") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create(ruy_lopez, 0, 30);
    fixture.set_budget(id, of_positions(25));
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
    const std::size_t positions = Planner::expanded_positions(fixture.run(id));
    CHECK(positions >= 25);
    CHECK(positions <= 25 + 2 * bench.processes);
    fixture.set_budget(id, Budget{std::nullopt, std::nullopt, fixture.clock + 5'000});
    fixture.work_until([&] { return bench.asked.size() > 200; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::running);
    fixture.pass(6'000);
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
}

TEST_CASE("core: one whose budget is used up settles when others bring its answers") {
    CoreAlone fixture;
    const auto poor = fixture.create(ruy_lopez, 1, 30);
    fixture.set_budget(poor, of_positions(1));
    fixture.work_until([] { return false; });
    REQUIRE(fixture.run(poor).record.state == storage::AnalysisState::exhausted);
    REQUIRE(fixture.run(poor).snapshots.empty());
    const auto rich = fixture.create(ruy_lopez, 1, 30);
    fixture.settle(rich);
    CHECK(fixture.run(poor).record.state == storage::AnalysisState::settled);
    REQUIRE(fixture.run(poor).snapshots.size() == 1);
    CHECK(fixture.run(poor).snapshots.front().values == fixture.run(rich).snapshots.front().values);
}

TEST_CASE("core: a budget of engine seconds is exact where all answers cost the same") {
    CoreAlone fixture{5};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    fixture.set_budget(id, Budget{.positions = {}, .engine_seconds = 0.99, .until = {}});
    fixture.work_until([] { return false; });
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.record.state == storage::AnalysisState::exhausted);
    CHECK(run.usage.evaluations_new == 50); // of 20 ms each
    CHECK(run.usage.engine_ms == 1'000);
}

TEST_CASE("core: positions are counted as they come, exactly") {
    CoreAlone fixture;
    const auto id = fixture.create("e2e4", 0, 60);
    const AnalysisRun& run = fixture.run(id);
    for (std::size_t exact = 0; exact < 250;) {
        REQUIRE(fixture.work_until([] { return false; }, 25) == 25);
        exact = run.slot->graph().count_below(run.root_node, 1'000'000);
        REQUIRE(Planner::expanded_positions(run) == exact);
    }
    // A root above it reaches what is there already, too.
    const auto above = fixture.create("", 1, 0);
    const AnalysisRun& other = fixture.run(above);
    fixture.settle(above);
    CHECK(Planner::expanded_positions(other) ==
          other.slot->graph().count_below(other.root_node, 1'000'000));
}

TEST_CASE("core: a time window closes and opens the tap") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create(ruy_lopez, 0, 30);
    AnalysisPatch patch;
    patch.window = std::optional{an_hour_after(fixture.clock)};
    fixture.change(id, patch);
    fixture.work_until([] { return false; });
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason.find("waits for") == 0);
    fixture.pass(61 * 60'000);
    fixture.work_until([&] { return bench.asked.size() > asked + 10; });
    CHECK(bench.asked.size() > asked + 10);
}

TEST_CASE("affinity: analyses with equal first moves differ, lines with equal ones do not") {
    const chess::Position start = chess::Position::initial();
    const auto line = *chess::parse_line(start, "1. e4 e5 2. Nf3");
    std::set<std::uint64_t> seen;
    std::size_t lines = 0;
    for (std::int64_t id = -50; id < 1'000; ++id) {
        for (const chess::Move first : start.legal_moves()) {
            const chess::Position next = start.after(first);
            for (const chess::Move second : next.legal_moves()) {
                seen.insert(affinity_of(analysis::AnalysisId{id}, std::vector{first, second}));
                ++lines;
            }
            seen.insert(affinity_of(analysis::AnalysisId{id}, std::vector{first}));
            ++lines;
        }
        seen.insert(affinity_of(analysis::AnalysisId{id}, {}));
        ++lines;
    }
    CHECK(seen.size() == lines);
    CHECK_FALSE(seen.contains(0));
    CHECK(affinity_of(analysis::AnalysisId{1}, line) ==
          affinity_of(analysis::AnalysisId{1}, std::span{line}.first(2)));
    CHECK(affinity_of(analysis::AnalysisId{1}, line) != affinity_of(analysis::AnalysisId{2}, line));
}
