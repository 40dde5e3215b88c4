// Questions without an answer: tried again, told with the line, and never taken for settled.
#include "core_fixture.hpp"

using storage::AnalysisState;

namespace {

// After 1. e4, which reply the made-up engine likes best.
chess::Move best_reply() {
    TemporaryDirectory scratch;
    Bench bench;
    CoreFixture fixture{scratch.path(), bench};
    const auto id = fixture.create("1. e4", 1);
    fixture.work_until([&] { return fixture.settled(id); });
    const AnalysisRun& run = fixture.run(id);
    return run.slot->graph().moves(run.root_node)[0].move;
}

chess::Position after_e4() {
    const chess::Position start = chess::Position::initial();
    return start.after(*chess::parse_uci(start, "e2e4"));
}

// For its best move; not for alternatives.
std::size_t asked_about(const Bench& bench, const chess::Position& position) {
    return static_cast<std::size_t>(
        std::count_if(bench.asked.begin(), bench.asked.end(), [&](const auto& job) {
            return job.position == position && job.searchmoves.empty();
        }));
}

// A root with one legal move, into a draw by material: there is nothing to ask below it.
analysis::AnalysisId ended(CoreFixture& fixture, int refine) {
    const auto start = *chess::Position::from_fen("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    NewAnalysis wanted{"ended", start, {}, "", {}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.limit = {analysis::Limit::Kind::depth, 8};
    wanted.spec.strategy.refine = refine;
    const auto id = fixture.core->create(std::move(wanted)).wait();
    REQUIRE(id);
    fixture.work_until([] { return false; });
    return *id;
}

} // namespace

TEST_CASE("core: a depth that lacks an answer ends as failed, with the line and the reason") {
    const chess::Move reply = best_reply();
    const chess::Position root = after_e4();
    const chess::Position poisoned = root.after(reply);
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 0);
    fixture.work_until([] { return false; });
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.record.state == AnalysisState::failed);
    CHECK(run.record.state_reason == "no engine has an answer to the position after " +
                                         chess::to_san(root, reply) + ": died of signal 11");
    CHECK(run.plan.settled == 1);
    CHECK(run.snapshots.size() == 1);
    CHECK(run.slot->failure_at(*run.slot->graph().find(poisoned.packed())) == "died of signal 11");
    // All else that the depth needs is there.
    for (const analysis::GraphMove& move : run.slot->graph().moves(run.root_node)) {
        const auto& graph = run.slot->graph();
        const int gap =
            graph.moves(run.root_node)[0].engine_score.rank() - move.engine_score.rank();
        if (move.move != reply && gap <= run.spec.strategy.move_distance) {
            CHECK(graph.expanded(move.target));
        }
    }
}

TEST_CASE("core: a clock that is set neither delays nor hastens what is asked again") {
    const chess::Position poisoned = after_e4().after(best_reply());
    const analysis::UnixMs by = GENERATE(-30 * 86'400'000LL, 30 * 86'400'000LL);
    const bool restart = GENERATE(false, true);
    CAPTURE(by, restart);
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    auto fixture = std::make_unique<CoreFixture>(directory.path(), bench);
    fixture->create("1. e4", 2);
    fixture->work_until([] { return false; });
    fixture->pass(0);
    if (restart) { // how long it was down nobody knows then: a pause at most
        fixture.reset();
        fixture = std::make_unique<CoreFixture>(directory.path(), bench);
    }
    fixture->set_by = restart && by > 0 ? 0 : by;
    fixture->pass(0);
    fixture->pass(59'000);
    fixture->work_until([] { return false; });
    CHECK(asked_about(bench, poisoned) == 1);
    fixture->pass(1'000);
    fixture->work_until([] { return false; });
    CHECK(asked_about(bench, poisoned) == 2);
}

TEST_CASE("core: an unanswered question is asked again after growing pauses") {
    const chess::Position poisoned = after_e4().after(best_reply());
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        fixture.work_until([] { return false; });
        CHECK(asked_about(bench, poisoned) == 1);
        fixture.pass(59'000);
        fixture.work_until([] { return false; });
        CHECK(asked_about(bench, poisoned) == 1);
        fixture.pass(1'000);
        fixture.work_until([] { return false; });
        CHECK(asked_about(bench, poisoned) == 2);
        CHECK(fixture.run(id).record.state == AnalysisState::failed);
        CHECK(fixture.store->failures(fixture.run(id).record.engine).at(0).attempts == 6);
        fixture.pass(200'000);
        fixture.work_until([] { return false; });
        CHECK(asked_about(bench, poisoned) == 2);
    }
    CoreFixture again{directory.path(), bench}; // its clock starts with the first one's
    again.clock += 61'000;
    again.pass(200'000);
    again.work_until([] { return false; });
    CHECK(asked_about(bench, poisoned) == 2);
    bench.poison.clear();
    again.pass(40'000);
    again.work_until([] { return false; });
    CHECK(asked_about(bench, poisoned) == 3);
    CHECK(again.settled(id));
    CHECK(again.run(id).record.state_reason.empty());
    CHECK(again.store->failures(again.run(id).record.engine).empty());
    const auto node = again.run(id).slot->graph().find(poisoned.packed());
    CHECK(again.run(id).slot->failure_at(*node).empty());
}

TEST_CASE("core: a stored answer without exact score is none, and gives way to one that has it") {
    const chess::Position root = after_e4();
    for (const bool bound : {false, true}) {
        TemporaryDirectory directory;
        Bench bench;
        analysis::Question question;
        {
            CoreFixture fixture{directory.path(), bench};
            const auto id = fixture.create("1. e4", 1);
            analysis::Evaluation fact;
            fact.question = {root.packed(),
                             fixture.run(id).record.engine,
                             {analysis::Limit::Kind::depth, 8},
                             {}};
            fact.move = *chess::parse_uci(root, "a7a6");
            if (bound) {
                fact.score = chess::Score::cp(500);
                fact.bound = analysis::Bound::lower;
            }
            question = fact.question;
            fixture.store->append(fact, {}, {});
            fixture.store->flush();
            bench.queue.clear(); // the answers of this core are never heard
        }
        CoreFixture fixture{directory.path(), bench};
        fixture.work_until([] { return false; });
        CHECK(fixture.settled(fixture.core->queue().runs().front()->record.id));
        const auto answer = fixture.store->answer(question);
        REQUIRE(answer);
        CHECK(answer->bound == analysis::Bound::exact);
        CHECK(answer->score == bench.answer(bench.asked.front()).score);
        CHECK(fixture.store->check().empty());
    }
}

TEST_CASE("core: where nothing is left to ask the depth does not grow, nor the history") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const AnalysisRun& endless = fixture.run(ended(fixture, 0));
    CHECK(endless.record.state == AnalysisState::settled);
    CHECK(endless.record.state_reason == "nothing is left to ask");
    CHECK(endless.plan.settled <= 2);
    CHECK(endless.snapshots.size() == 1);
    const std::size_t asked = bench.asked.size();
    const AnalysisRun& bounded = fixture.run(ended(fixture, 10));
    CHECK(bench.asked.size() == asked);
    CHECK(bounded.record.state == AnalysisState::settled);
    CHECK(bounded.plan.settled == 10);
    CHECK(bounded.record.state_reason.empty());
    CHECK(bounded.snapshots.size() == 1);
}

TEST_CASE("core: a depth whose answers were there already is recorded if it rests on more") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto first = fixture.create("1. e4", 3);
    fixture.work_until([&] { return fixture.settled(first); });
    const std::size_t asked = bench.asked.size();
    const auto second = fixture.create("1. e4", 3);
    fixture.work_until([&] { return fixture.settled(second); });
    CHECK(bench.asked.size() == asked);
    CHECK(fixture.run(second).plan.settled == 3);
    REQUIRE(fixture.run(second).snapshots.size() == 3);
    REQUIRE(fixture.run(first).snapshots.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(fixture.run(second).snapshots[i].refine == static_cast<int>(i) + 1);
    }
}

TEST_CASE("core: an analysis that failed is tried again when its limit changes") {
    const chess::Position poisoned = after_e4().after(best_reply());
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 2);
    fixture.work_until([] { return false; });
    REQUIRE(fixture.run(id).record.state == AnalysisState::failed);
    bench.poison.clear();
    AnalysisPatch patch;
    patch.limit = analysis::Limit{analysis::Limit::Kind::depth, 7};
    REQUIRE(fixture.core->change(id, patch).wait());
    CHECK(fixture.run(id).record.state == AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason.empty());
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

// As where the disk did not take the note of it.
TEST_CASE("core: an analysis whose failure is not noted is looked at anew by each start") {
    const chess::Position poisoned = after_e4().after(best_reply());
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        fixture.work_until([] { return false; });
        REQUIRE(fixture.run(id).record.state == AnalysisState::failed);
        fixture.store->clear_failures(fixture.run(id).record.engine, {});
    }
    bench.poison.clear();
    CoreFixture fixture{directory.path(), bench};
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

TEST_CASE("core: who has failed for an answer goes on when somebody else has brought it") {
    const chess::Position poisoned = after_e4().after(best_reply());
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(poisoned.engine_fen());
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 2);
    fixture.work_until([] { return false; });
    const AnalysisRun& run = fixture.run(id);
    REQUIRE(run.record.state == AnalysisState::failed);
    const engine_bridge::Job job{1, poisoned, run.record.limit, {}};
    const engine_bridge::Answer found = bench.answer(job);
    analysis::Evaluation fact;
    fact.question = {poisoned.packed(), run.record.engine, run.record.limit, {}};
    fact.move = found.move;
    fact.score = found.score;
    fact.pv = found.pv;
    bench.poison.clear(); // and nothing is asked again before its pause is over
    const auto imported = fixture.core->when_imported();
    fixture.store->append(fact, {});
    fixture.flush();
    imported({{}, {run.record.engine}});
    fixture.settle_down(); // it is read
    fixture.pass(1'000);
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}
