// Strategy `anchored` at work, its long search in pieces: the same levels with any number of
// engines, one long search at a time, busy engines, and the courts that decide.
#include "core_fixture.hpp"

#include <cmath>

using analysis::Limit;

namespace {

constexpr std::uint64_t nodes = 1'000; // of the analyses' limit

// Of a pawn ending.
analysis::AnalysisId create(CoreFixture& fixture, const std::string& moves, int refine) {
    const chess::Position start =
        chess::Position::from_fen("4k3/2pp4/8/8/8/8/4PP2/4K3 w - - 0 1").value();
    NewAnalysis wanted{moves, start, *chess::parse_line(start, moves), "", {}, {}, 0, false};
    wanted.limit = {Limit::Kind::nodes, nodes};
    wanted.spec.strategy = analysis::default_parameters("anchored");
    wanted.spec.strategy.move_distance = 15;
    wanted.spec.strategy.anchor_threads = -1; // in pieces; standing_searches_test.cpp has the other
    wanted.spec.strategy.refine = refine;
    return fixture.create(std::move(wanted));
}

// Each node takes a millisecond.
Bench timed(std::size_t processes) {
    Bench bench;
    bench.processes = processes;
    bench.duration = [](const engine_bridge::Job& job) {
        return static_cast<double>(job.limit.amount);
    };
    return bench;
}

bool is_anchor(const AnalysisRun& run, const engine_bridge::Job& job) {
    return job.position == run.root && job.searchmoves.empty() && job.limit.amount >= 8 * nodes;
}

} // namespace

TEST_CASE("core: anchored keeps the root's searches together, and all engines busy") {
    for (const std::size_t processes : {2, 8}) {
        INFO(processes << " engines");
        TemporaryDirectory directory;
        Bench bench = timed(processes);
        CoreFixture fixture{directory.path(), bench};
        const auto id = create(fixture, "1. e4 d5", 0);
        const AnalysisRun& run = fixture.run(id);
        std::size_t most = 0; // long searches out at a time
        const auto look = [&] {
            std::size_t out = 0;
            for (const engine_bridge::Job& job : bench.queue) {
                out += is_anchor(run, job) ? 1 : 0;
            }
            most = std::max(most, out);
        };
        // At the very beginning there is the root alone.
        fixture.work_until([&] { return run.plan.settled >= 1; });
        REQUIRE(run.plan.settled >= 1);
        const double clock = bench.clock;
        const double busy = bench.busy;
        fixture.work_until(
            [&] {
                look();
                return false;
            },
            250);
        CHECK(most == 1);
        CHECK((bench.busy - busy) / (bench.clock - clock) >= 0.97 * static_cast<double>(processes));
        std::set<std::uint64_t> of_root;
        std::set<std::uint64_t> of_others;
        for (const engine_bridge::Job& job : bench.asked) {
            (job.position == run.root ? of_root : of_others).insert(job.affinity);
        }
        CHECK(of_root.size() == 1);
        CHECK(of_others.size() > 2);
        CHECK_FALSE(of_others.contains(*of_root.begin()));
    }
}

// The wall's clock is the engines' here.
namespace {

void begins_none_that_would_run_on(std::size_t processes, const std::string& end) {
    INFO(processes << " engines, " << end);
    TemporaryDirectory directory;
    Bench bench = timed(processes);
    CoreFixture fixture{directory.path(), bench};
    fixture.passes_with_work = true;
    const auto id = create(fixture, "1. e4 d5", 0);
    const AnalysisRun& run = fixture.run(id);
    const analysis::UnixMs begun = fixture.clock;
    constexpr double length = 40 * 60'000.0; // of the whole, ms; 2,400 times the limit
    AnalysisPatch patch;
    if (end == "window") {
        patch.window.emplace();
        const int minute = local_minute_of_day(begun);
        patch.window->emplace(TimeWindow{minute, (minute + 40) % (24 * 60)});
    } else {
        patch.budget.emplace();
        if (end == "until") {
            patch.budget->until = begun + static_cast<analysis::UnixMs>(length);
        } else {
            patch.budget->engine_seconds = length / 1'000 * static_cast<double>(processes);
        }
    }
    fixture.change(id, patch);
    std::uint64_t longest = 0;
    double last_anchor_ended = 0;
    fixture.work_until([&] {
        fixture.pass(0);
        for (const engine_bridge::Job& job : bench.queue) {
            if (is_anchor(run, job)) {
                longest = std::max(longest, job.limit.amount);
                last_anchor_ended = bench.clock + static_cast<double>(job.limit.amount);
            }
        }
        return false;
    });
    // The window has minutes; whatever is out when the time is up is of the analysis's limit, or
    // began before the pace was known.
    CHECK(run.out.in_flight == 0);
    CHECK(bench.clock <= length + (end == "window" ? 61'000 : 5 * nodes));
    CHECK(bench.clock >= 0.9 * length);
    CHECK(longest >= 100 * nodes); // there were long ones
    CHECK(last_anchor_ended >= 0.5 * length);
    if (end != "window") {
        CHECK(run.record.state == storage::AnalysisState::exhausted);
        return;
    }
    CHECK(run.record.state == storage::AnalysisState::queued);
    const std::string& why = run.record.state_reason; // they may be over by now
    CHECK((why.starts_with("the next search would not end within ") ||
           why.starts_with("waits for ")));
    const std::size_t asked = bench.asked.size();
    fixture.pass(24 * 60 * 60'000 - static_cast<analysis::UnixMs>(bench.clock));
    CHECK(bench.asked.size() > asked); // what was put off
}

} // namespace

TEST_CASE("core: anchored begins no long search that would run on after the end") {
    begins_none_that_would_run_on(1, "window");
    begins_none_that_would_run_on(4, "until");
    begins_none_that_would_run_on(1, "engine_seconds");
}

TEST_CASE("core: anchored begins none that would run on, with other numbers of engines",
          "[.][deep]") {
    begins_none_that_would_run_on(4, "window");
    begins_none_that_would_run_on(1, "until");
    begins_none_that_would_run_on(4, "engine_seconds");
}

// A narrow tree, so that at the end the next levels ask for long searches only.
TEST_CASE(
    "core: anchored goes on to the end of its time, where long searches do not fit any more") {
    TemporaryDirectory directory;
    Bench bench = timed(4);
    CoreFixture fixture{directory.path(), bench};
    fixture.passes_with_work = true;
    const chess::Position start = chess::Position::initial();
    NewAnalysis wanted{"", start, *chess::parse_line(start, "1. e4 e5 2. Nf3 Nc6"), "", {}, {},
                       0,  false};
    wanted.limit = {Limit::Kind::nodes, nodes};
    wanted.spec.strategy = analysis::default_parameters("anchored");
    wanted.spec.strategy.move_distance = 2;
    wanted.spec.strategy.anchor_threads = -1;
    wanted.spec.strategy.refine = 0;
    constexpr double length = 25 * 60'000.0;
    wanted.spec.budget.until = fixture.clock + static_cast<analysis::UnixMs>(length);
    REQUIRE(fixture.core->create(std::move(wanted)).wait());
    fixture.work_until([&] {
        fixture.pass(0);
        return false;
    });
    CHECK(bench.clock >= 0.99 * length);
    CHECK(bench.clock <= length + 5 * nodes);
    CHECK(bench.busy >= 0.97 * static_cast<double>(bench.processes) * bench.clock);
}

TEST_CASE("core: anchored keeps the last quarter of a budget of nodes for a court") {
    CoreAlone fixture{1};
    Bench& bench = fixture.bench;
    const auto id = create(fixture, "1. e4 d5", 0);
    AnalysisPatch patch;
    patch.budget.emplace();
    constexpr std::uint64_t all = 300 * nodes;
    patch.budget->nodes = all;
    fixture.change(id, patch);
    const AnalysisRun& run = fixture.run(id);
    fixture.work_until([&] { return run.record.state == storage::AnalysisState::exhausted; });
    std::uint64_t largest = 0;
    for (const engine_bridge::Job& job : bench.asked) {
        if (job.position == run.root && job.searchmoves.size() >= 2 &&
            job.searchmoves.size() <= analysis::JointSearch::most_moves) {
            largest = std::max(largest, job.limit.amount);
        }
    }
    CHECK(largest >= all / 5);
    CHECK(largest <= all / 4);
    REQUIRE(court_of(run) != nullptr);
    CHECK(court_of(run)->effort == Approx(std::log2(largest)));
}

namespace {

// Share of the processes that search over the first ten answer times of the initial position, with
// the strategy that people get.
double busy_at_start(std::size_t processes) {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = processes;
    bench.duration = [](const engine_bridge::Job&) { return 1.0; };
    CoreFixture fixture{directory.path(), bench};
    NewAnalysis wanted{
        "", chess::Position::initial(), {}, "", {analysis::Limit::Kind::depth, 8}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("anchored");
    fixture.create(std::move(wanted));
    double busy = 0;
    fixture.work_until([&] {
        busy = bench.clock <= 10 ? bench.busy : busy;
        return bench.clock > 10;
    });
    return busy / (10 * static_cast<double>(processes));
}

} // namespace

TEST_CASE("core: 16 engines are busy from the start of a tree") {
    CHECK(busy_at_start(16) >= 0.9);
    CHECK(busy_at_start(2) >= 0.99);
}
