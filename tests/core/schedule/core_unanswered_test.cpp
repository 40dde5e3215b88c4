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
    fixture.settle(id);
    const AnalysisRun& run = fixture.run(id);
    return run.slot->graph().moves(run.root_node)[0].move;
}

chess::Position after_e4() {
    const chess::Position start = chess::Position::initial();
    return start.after(*chess::parse_uci(start, "e2e4"));
}

// 1. e4 and its best reply, which no engine survives.
struct Poisoned {
    const chess::Position position = after_e4().after(best_reply());
    TemporaryDirectory directory;
    Bench bench;
    std::optional<CoreFixture> fixture;
    analysis::AnalysisId id{};

    explicit Poisoned(int refine = 2) {
        bench.poison.insert(position.engine_fen());
        open();
        id = fixture->create("1. e4", refine);
        work();
        REQUIRE(run().record.state == AnalysisState::failed);
    }
    void open() {
        fixture.reset();
        fixture.emplace(directory.path(), bench);
    }
    void work() {
        fixture->work_until([] { return false; });
    }
    void pass(analysis::UnixMs ms) {
        fixture->pass(ms);
        work();
    }
    const AnalysisRun& run() const { return fixture->run(id); }
    // For its best move; not for alternatives.
    std::size_t asked() const {
        return static_cast<std::size_t>(std::ranges::count_if(bench.asked, [&](const auto& job) {
            return job.position == position && job.searchmoves.empty();
        }));
    }
};

// A root with one legal move, into a draw by material: there is nothing to ask below it.
analysis::AnalysisId ended(CoreFixture& fixture, int refine) {
    const auto start = *chess::Position::from_fen("7k/8/8/8/8/8/1q6/K7 w - - 0 1");
    const auto id = fixture.create(wanted_at(start, "", refine));
    fixture.work_until([] { return false; });
    return id;
}

} // namespace

TEST_CASE("core: a depth that lacks an answer ends as failed, with the line and the reason") {
    Poisoned f{0};
    const AnalysisRun& run = f.run();
    const chess::Move reply = best_reply();
    CHECK(run.record.state_reason == "no engine has an answer to the position after " +
                                         chess::to_san(run.root, reply) + ": died of signal 11");
    CHECK(run.plan.settled == 1);
    CHECK(run.snapshots.size() == 1);
    const auto& graph = run.slot->graph();
    CHECK(run.slot->failure_at(*graph.find(f.position.packed())) == "died of signal 11");
    CHECK(f.fixture->store->failures(run.record.engine).at(0).reason == "died of signal 11");
    // All else that the depth needs is there.
    const auto moves = graph.moves(run.root_node);
    for (const analysis::GraphMove& move : moves) {
        const int gap = moves[0].engine_score.rank() - move.engine_score.rank();
        if (move.move != reply && gap <= run.spec.strategy.move_distance) {
            CHECK(graph.expanded(move.target));
        }
    }
}

TEST_CASE("core: a clock that is set neither delays nor hastens what is asked again") {
    const analysis::UnixMs by = GENERATE(-30 * 86'400'000LL, 30 * 86'400'000LL);
    const bool restart = GENERATE(false, true);
    CAPTURE(by, restart);
    Poisoned f;
    f.fixture->pass(0);
    if (restart) { // how long it was down nobody knows then: a pause at most
        f.open();
    }
    f.fixture->set_by = restart && by > 0 ? 0 : by;
    f.fixture->pass(0);
    f.pass(59'000);
    CHECK(f.asked() == 1);
    f.pass(1'000);
    CHECK(f.asked() == 2);
}

TEST_CASE("core: an unanswered question is asked again after growing pauses") {
    Poisoned f;
    CHECK(f.asked() == 1);
    f.pass(59'000);
    CHECK(f.asked() == 1);
    f.pass(1'000);
    CHECK(f.asked() == 2);
    CHECK(f.run().record.state == AnalysisState::failed);
    CHECK(f.fixture->store->failures(f.run().record.engine).at(0).attempts == 6);
    f.pass(200'000);
    CHECK(f.asked() == 2);
    f.open(); // its clock starts with the first one's
    f.fixture->settle_down();
    CHECK(f.run().record.state == AnalysisState::failed);
    f.fixture->clock += 61'000;
    f.pass(200'000);
    CHECK(f.asked() == 2);
    f.bench.poison.clear();
    f.pass(40'000);
    CHECK(f.asked() == 3);
    CHECK(f.fixture->settled(f.id));
    CHECK(f.run().record.state_reason.empty());
    CHECK(f.fixture->store->failures(f.run().record.engine).empty());
    CHECK(f.run().slot->failure_at(*f.run().slot->graph().find(f.position.packed())).empty());
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
    CoreAlone fixture;
    Bench& bench = fixture.bench;
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

TEST_CASE("core: an analysis that failed is tried again when its limit changes") {
    Poisoned f;
    f.bench.poison.clear();
    f.fixture->set_limit(f.id, {analysis::Limit::Kind::depth, 7});
    CHECK(f.run().record.state == AnalysisState::queued);
    CHECK(f.run().record.state_reason.empty());
    f.fixture->settle(f.id);
}

// As where the disk did not take the note of it.
TEST_CASE("core: an analysis whose failure is not noted is looked at anew by each start") {
    Poisoned f;
    f.fixture->store->clear_failures(f.run().record.engine, {});
    f.bench.poison.clear();
    f.open();
    f.fixture->settle(f.id);
}

TEST_CASE("core: who has failed for an answer goes on when somebody else has brought it") {
    Poisoned f;
    const AnalysisRun& run = f.run();
    const engine_bridge::Answer found = f.bench.answer({1, f.position, run.record.limit, {}});
    analysis::Evaluation fact;
    fact.question = {f.position.packed(), run.record.engine, run.record.limit, {}};
    fact.move = found.move;
    fact.score = found.score;
    fact.pv = found.pv;
    f.bench.poison.clear(); // and nothing is asked again before its pause is over
    const auto imported = f.fixture->core->when_imported();
    f.fixture->store->append(fact, {});
    f.fixture->flush();
    imported({{}, {run.record.engine}});
    f.fixture->settle_down(); // it is read
    f.fixture->pass(1'000);
    f.fixture->settle(f.id);
}

TEST_CASE("core: who has failed for an answer that another graph lacks is asked again with it") {
    TemporaryDirectory directory;
    Bench bench;
    bench.poison.insert(after_e4().after(best_reply()).engine_fen());
    CoreFixture fixture{directory.path(), bench};
    // Without one of the moves: another graph, which is there when the first one's question fails.
    const auto other = fixture.create("1. e4", 2);
    fixture.hold(other);
    fixture.direct(other, {*chess::parse_uci(after_e4(), "h7h5")}, "exclude");
    fixture.settle_down();
    const auto id = fixture.create("1. e4", 2);
    const AnalysisRun &first = fixture.run(id), &second = fixture.run(other);
    REQUIRE(first.slot != second.slot);
    fixture.work_until([&] { return first.record.state == AnalysisState::failed; });
    fixture.hold(other, false);
    fixture.work_until([&] { return second.record.state == AnalysisState::failed; });
    REQUIRE(second.record.state == AnalysisState::failed);
    fixture.hold(id);
    bench.poison.clear();
    const std::size_t asked = bench.asked.size();
    fixture.pass(59'000);
    CHECK(bench.asked.size() == asked);
    fixture.pass(5 * 60'000);
    fixture.settle(other);
}

TEST_CASE("core: an unanswered question whose pause ends while another one is out is asked again") {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 8; // so that what later levels will ask is out, too
    bench.poison.insert(after_e4().after(best_reply()).engine_fen());
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 4);
    const AnalysisRun& run = fixture.run(id);
    fixture.work_until([&] { return !run.plan.failure.empty() && run.out.in_flight > 0; });
    REQUIRE(run.record.state == AnalysisState::running);
    bench.poison.clear();
    fixture.pass(61'000); // so long the engine takes for the other
    CHECK(run.plan.failure.empty());
    fixture.settle(id);
}
