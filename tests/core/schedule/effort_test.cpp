// Effort never falls back: budgets hold whatever ends the program.
#include "api/views/view.hpp"
#include "core_fixture.hpp"
#include "spent.hpp"

#include <ostream>

TEST_CASE("core: a budget of nodes is exact to one question, whatever dies when") {
    constexpr std::uint64_t each = 1'000;
    const std::uint64_t budget = GENERATE(std::uint64_t{1}, std::uint64_t{10'000},
                                          std::uint64_t{40'001}, std::uint64_t{77'777});
    const bool reproducible = GENERATE(false, true);
    CAPTURE(budget, reproducible);
    const std::uint64_t questions = (budget + each - 1) / each;
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = reproducible ? 1 : 3;
    bench.shuffle = true;
    analysis::AnalysisId id{};
    std::uint64_t stored = 0;
    for (int life = 0; life < 3; ++life) { // what is out when a life ends has cost nothing
        bench.queue.clear();
        bench.asked.clear();
        CoreFixture fixture{directory.path(), bench, reproducible};
        if (life == 0) {
            id = fixture.create("e4", 0, 60);
            fixture.set_limit(id, {analysis::Limit::Kind::nodes, each});
            fixture.set_budget(id, of_nodes(budget));
        }
        const auto& run = fixture.run(id);
        std::uint64_t answered = 0;
        fixture.work_until([&] {
            CHECK(run.out.nodes == run.out.in_flight * each);
            CHECK(run.nodes() + run.out.nodes <= questions * each);
            CHECK(run.usage.nodes <= questions * each);
            ++answered;
            return life < 2 && answered > questions / 4;
        });
        stored = spent_in(*fixture.store).nodes;
        if (life == 2) {
            CHECK(run.record.state == storage::AnalysisState::exhausted);
            CHECK(run.usage.nodes == questions * each);
            CHECK(run.out.nodes == 0);
        }
    }
    CHECK(stored == questions * each);
}

TEST_CASE("core: sums of nodes never fall, however large the answers are") {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max(); // of the store, too
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    bench.spends = 1e16; // 10^19 nodes for each answer: 64 bits do not hold two of them
    const auto id = fixture.create("e4", 0, 60);
    fixture.set_limit(id, {analysis::Limit::Kind::nodes, 1'000});
    const auto& usage = fixture.run(id).usage;
    std::uint64_t before = 0;
    fixture.work_until([&] {
        CHECK(usage.nodes >= before);
        before = usage.nodes;
        return usage.evaluations_new >= 5;
    });
    REQUIRE(usage.evaluations_new >= 5);
    CHECK(usage.nodes == most);
    CHECK(fixture.store->usage(id).nodes == most);
    fixture.set_budget(id, of_nodes(1'000'000'000));
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
}

TEST_CASE("core: what failed leaves its share of the node budget to others") {
    TemporaryDirectory directory;
    Bench bench;
    const chess::Position start = chess::Position::initial();
    const chess::Position poisoned = start.after(*chess::parse_uci(start, "e2e4"));
    bench.poison.insert(poisoned.after(*chess::parse_uci(poisoned, "e7e5")).engine_fen());
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("e4", 0, 60);
    fixture.set_limit(id, {analysis::Limit::Kind::nodes, 1'000});
    fixture.set_budget(id, of_nodes(30'000));
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
    CHECK(fixture.run(id).usage.nodes == 30'000);
}

TEST_CASE("core: what transient analyses ask for belongs to none of the store") {
    CoreAlone fixture;
    NewAnalysis wanted = wanted_at(chess::Position::initial(), "", 1);
    wanted.transient = true;
    const auto id = fixture.create_settled(std::move(wanted));
    CHECK(fixture.run(id).usage.evaluations_new == fixture.store->evaluation_count());
    CHECK(fixture.store->asked(id).empty());
    CHECK(fixture.store->usage(id) == storage::UsageRecord{.analysis = id});
}

namespace {

struct Counts {
    std::uint64_t fresh, reused, unneeded;
    friend bool operator==(const Counts&, const Counts&) = default;
};

std::ostream& operator<<(std::ostream& out, const Counts& counts) {
    return out << counts.fresh << " new, " << counts.reused << " reused, " << counts.unneeded
               << " unneeded";
}

Counts counts_of(const CoreFixture& fixture, analysis::AnalysisId id) {
    const json all = analysis_json(*fixture.core, fixture.run(id))["evaluations"];
    return {all["new"], all["reused"], all["unneeded"]};
}

// Those that the tree rests on, by a plan of the test's own: of each position that the walk needs,
// each move's.
std::set<analysis::EvaluationId> rests_on(const AnalysisRun& run, int level) {
    const analysis::PlanRequest request{
        run.slot->graph(),
        run.root_node,
        run.record.limit,
        run.spec.strategy,
        level,
        run.node_directives,
        [](analysis::NodeId, const analysis::Limit&, const std::vector<chess::Move>&) {
            return analysis::QuestionState::open;
        },
        64,
        run.seeds.get()};
    const auto plan = analysis::make_plan(request);
    std::set<analysis::EvaluationId> ids;
    for (const analysis::NodeId node : plan.visited) {
        for (const analysis::GraphMove& move : run.slot->graph().moves(node)) {
            ids.insert(move.evaluation);
        }
    }
    return ids;
}

} // namespace

TEST_CASE("core: on an empty store nothing is reused, whatever ends the analysis") {
    for (const std::uint64_t budget : {7, 21, 60, 1'000'000}) {
        CAPTURE(budget);
        CoreAlone fixture;
        Bench& bench = fixture.bench;
        bench.shuffle = true;
        const auto id = fixture.create("e4", 2, 20);
        fixture.set_budget(id, of_positions(budget));
        fixture.work_until([] { return false; });
        const Counts counts = counts_of(fixture, id);
        CHECK(counts.reused == 0);
        CHECK(counts.fresh == bench.asked.size());
        const auto needed = rests_on(fixture.run(id), fixture.run(id).plan.refine);
        CHECK(counts.unneeded == counts.fresh - needed.size());
    }
}

TEST_CASE("core: reused and unneeded are the same after a restart, settled or not") {
    for (const std::uint64_t more : {5, 1'000'000}) {
        CAPTURE(more);
        TemporaryDirectory directory;
        Bench bench;
        bench.shuffle = true;
        analysis::AnalysisId first{}, second{};
        Counts before_first{}, before_second{};
        {
            CoreFixture fixture{directory.path(), bench};
            first = fixture.create("e4 e5", 1, 20);
            fixture.settle(first);
            second = fixture.create("e4 e5", 2, 20);
            const std::uint64_t budget = more + Planner::expanded_positions(fixture.run(first));
            fixture.set_budget(second, of_positions(budget));
            fixture.work_until([] { return false; });
            fixture.pass(1'000);
            before_first = counts_of(fixture, first);
            before_second = counts_of(fixture, second);
        }
        CHECK(before_first.reused == 0);
        CHECK(before_second.reused > 0); // the first one's
        bench.asked.clear();
        CoreFixture fixture{directory.path(), bench};
        fixture.pass(1'000);
        CHECK(bench.asked.empty());
        CHECK(counts_of(fixture, first) == before_first);
        CHECK(counts_of(fixture, second) == before_second);
    }
}

TEST_CASE("core: what another analysis asked for is reused, and unneeded is what no line needs") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto first = fixture.create("e4", 2, 20);
    fixture.settle(first);
    const auto second = fixture.create("e4", 2, 20);
    fixture.settle(second);
    const auto needed = rests_on(fixture.run(second), 2);
    CHECK(counts_of(fixture, second) == Counts{0, needed.size(), 0});
    CHECK(counts_of(fixture, first).unneeded == bench.asked.size() - needed.size());
    // Narrower: most of what was asked for is needed no more.
    AnalysisPatch patch;
    patch.strategy = fixture.run(first).spec.strategy;
    patch.strategy->refine = 1;
    fixture.change(first, patch);
    fixture.settle(first);
    const auto fewer = rests_on(fixture.run(first), 1);
    CHECK(fewer.size() < needed.size());
    CHECK(counts_of(fixture, first) ==
          Counts{bench.asked.size(), 0, bench.asked.size() - fewer.size()});
}
