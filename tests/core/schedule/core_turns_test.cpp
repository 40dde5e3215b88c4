// The scheduler: who gets the next question, and what keeps an analysis from it.
#include "core/graphs/line_end.hpp"
#include "core_fixture.hpp"

TEST_CASE("core: pause lets go, resume goes on") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return bench.asked.size() > 20; });
    AnalysisPatch pause;
    pause.hold = true;
    REQUIRE(fixture.core->change(id, pause).wait());
    fixture.work_until([] { return false; });
    CHECK(bench.queue.empty());
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::paused);
    CHECK(fixture.run(id).out.in_flight == 0);
    fixture.pass(1000);
    CHECK(bench.asked.size() == asked);
    AnalysisPatch resume;
    resume.hold = false;
    REQUIRE(fixture.core->change(id, resume).wait());
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

TEST_CASE("core: higher priority goes first, and equals share equally") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto low = fixture.create("1. a3", 0, 30);
    const auto one = fixture.create("1. e4", 0, 30, 5);
    const auto two = fixture.create("1. d4", 0, 30, 5);
    const std::size_t before = static_cast<std::size_t>(fixture.run(low).out.served);
    fixture.work_until(
        [&] { return fixture.run(one).out.served + fixture.run(two).out.served > 200; });
    CHECK(fixture.run(low).out.served < before + 30); // only when the others had nothing to ask
    const auto served_one = static_cast<double>(fixture.run(one).out.served);
    const auto served_two = static_cast<double>(fixture.run(two).out.served);
    CHECK(served_one == Approx(served_two).margin(5));
}

TEST_CASE("core: who is put ahead of an older analysis gets more, also after a pause") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
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
    REQUIRE(fixture.core->change(ids[2], to_the_top).wait());
    CHECK(fixture.core->queue().runs().front()->record.id == ids[2]);
    served = work(220);
    CHECK(served[2] == Approx(110).margin(6));
    CHECK(served[0] == Approx(55).margin(6));
    CHECK(served[1] == Approx(55).margin(6));

    AnalysisPatch hold;
    hold.hold = true;
    REQUIRE(fixture.core->change(ids[1], hold).wait());
    served = work(300);
    CHECK(served[1] == 0);
    hold.hold = false;
    REQUIRE(fixture.core->change(ids[1], hold).wait());
    served = work(220); // what it missed is not made up for
    CHECK(served[1] == Approx(55).margin(6));

    AnalysisPatch urgent;
    urgent.priority = 1;
    REQUIRE(fixture.core->change(ids[1], urgent).wait());
    CHECK(fixture.core->queue().runs().front()->record.id == ids[1]);
    const auto last = fixture.create("1. g3", 0, 30);
    CHECK(fixture.core->queue().runs().back()->record.id == last);
}

TEST_CASE("core: budgets exhaust an analysis") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    AnalysisPatch patch;
    patch.budget = Budget{25, std::nullopt, std::nullopt};
    REQUIRE(fixture.core->change(id, patch).wait());
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
    const std::size_t positions = Planner::expanded_positions(fixture.run(id));
    CHECK(positions >= 25);
    CHECK(positions <= 25 + 2 * bench.processes);
    patch.budget = Budget{std::nullopt, std::nullopt, fixture.clock + 5'000};
    REQUIRE(fixture.core->change(id, patch).wait());
    fixture.work_until([&] { return bench.asked.size() > 200; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::running);
    fixture.pass(6'000);
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
}

TEST_CASE("core: a budget of engine seconds is exact where all answers cost the same") {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 5;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    AnalysisPatch patch;
    patch.budget = Budget{.positions = {}, .engine_seconds = 0.99, .until = {}};
    REQUIRE(fixture.core->change(id, patch).wait());
    fixture.work_until([] { return false; });
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.record.state == storage::AnalysisState::exhausted);
    CHECK(run.usage.evaluations_new == 50); // of 20 ms each
    CHECK(run.usage.engine_ms == 1'000);
}

TEST_CASE("core: positions are counted as they come, exactly") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
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
    fixture.work_until([&] { return fixture.settled(above); });
    CHECK(Planner::expanded_positions(other) ==
          other.slot->graph().count_below(other.root_node, 1'000'000));
}

TEST_CASE("core: a time window closes and opens the tap") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    const int minute = local_minute_of_day(fixture.clock);
    AnalysisPatch patch;
    patch.window = std::optional{TimeWindow{(minute + 60) % 1440, (minute + 120) % 1440}};
    REQUIRE(fixture.core->change(id, patch).wait());
    fixture.work_until([] { return false; });
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason.find("waits for") == 0);
    fixture.pass(61 * 60'000);
    fixture.work_until([&] { return bench.asked.size() > asked + 10; });
    CHECK(bench.asked.size() > asked + 10);
}

TEST_CASE("core: now overtakes everything queued") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto busy = fixture.create("1. e4", 0, 30, 9);
    const auto idle = fixture.create("1. d4", 0, 30, 0);
    fixture.work_until([&] { return bench.asked.size() > 50; });
    const AnalysisRun& run = fixture.run(idle);
    const auto line = *chess::parse_line(run.root, "1... a5 2. h4");
    bench.asked.clear();
    REQUIRE(fixture.core->direct(idle, line, "now", "").wait());
    fixture.work_until([&] { return !bench.asked.empty(); });
    REQUIRE_FALSE(bench.asked.empty());
    CHECK(bench.asked.front().urgent);
    CHECK(bench.asked.front().position == line_end(run, line).position);
    (void)busy;
}
