// What people say of positions: "now" passes every queue, "deepen" means what it says, and what
// could have no effect is refused with the reason.
#include "api/views/view.hpp"
#include "core_fixture.hpp"

namespace {

// Lets the queues fill: every process has a question, and as many wait.
void fill_queues(CoreFixture& fixture) {
    fixture.work_until([&] { return fixture.bench.asked.size() > 50; });
    REQUIRE(fixture.bench.queue.size() == 2 * fixture.bench.processes);
}

bool is_next(const Bench& bench, const chess::Position& position) {
    return bench.queue.size() > bench.processes && bench.queue[bench.processes].urgent &&
           bench.queue[bench.processes].position == position;
}

} // namespace

TEST_CASE("directives: now is the next question that a process starts, and so each further one") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create("1. e4", 0, 30);
    fill_queues(fixture);
    const AnalysisRun& run = fixture.run(id);
    const auto line = line_of(run, "1... a5 2. h4");
    const chess::Position wanted = line_end(run, line).position;
    fixture.direct(id, line, "now");
    fixture.settle_down();
    REQUIRE(is_next(bench, wanted)); // no engine has answered anything
    CHECK(fixture.core->scheduler().job(bench.asked.back().id)->line == line);
    const std::size_t before = bench.asked.size();
    std::size_t answered = 0; // of the position
    while (std::any_of(bench.queue.begin(), bench.queue.end(),
                       [](const engine_bridge::Job& job) { return job.urgent; })) {
        if (bench.queue.front().urgent) {
            ++answered;
        }
        REQUIRE(bench.step());
        fixture.settle_down();
        REQUIRE(bench.queue.size() <= 3 * bench.processes); // the queue stays short
        REQUIRE(bench.asked.size() < before + 500);
    }
    CHECK(answered > 2); // the best move and alternatives until one was outside the window
    const auto node = run.slot->graph().find(wanted.packed());
    REQUIRE(node);
    CHECK(run.slot->graph().moves(*node).size() >= answered);
    // It is done: the queue is as short as before.
    fixture.work_until([&] { return bench.queue.size() <= 2 * bench.processes; }, 20);
    CHECK(bench.queue.size() <= 2 * bench.processes);
}

TEST_CASE("directives: now about a question that waits already brings that forward") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto one = fixture.create("1. e4", 0, 30);
    fixture.create("1. d4", 0, 30);
    fill_queues(fixture);
    // The last in the queue that is of the first analysis.
    const auto last = std::find_if(bench.queue.rbegin(), bench.queue.rend(), [&](const auto& job) {
        return fixture.core->scheduler().job(job.id)->analysis == one;
    });
    REQUIRE(last != bench.queue.rend());
    const engine_bridge::JobId job = last->id;
    const auto line = fixture.core->scheduler().job(job)->line;
    const bool running = last >= bench.queue.rend() - static_cast<std::ptrdiff_t>(bench.processes);
    REQUIRE_FALSE(running);
    fixture.direct(one, line, "now");
    fixture.settle_down();
    CHECK(bench.queue[bench.processes].id == job);
}

TEST_CASE("directives: now says why it cannot be, and leaves nothing behind") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create("1. e4", 0, 30);
    fixture.work_until([&] { return bench.asked.size() > 30; });
    const auto now_at = [&](const char* moves) {
        const auto made =
            fixture.core->direct(id, line_of(fixture.run(id), moves), "now", "").wait();
        return made ? std::string{} : made.error().message;
    };
    const auto change = [&](auto set) {
        AnalysisPatch patch;
        set(patch);
        fixture.change(id, patch);
        fixture.settle_down();
    };
    const std::size_t said = fixture.run(id).directives.size();

    change([](AnalysisPatch& patch) { patch.hold = true; });
    CHECK(now_at("1... a5") == "not now: the analysis is paused");
    change([](AnalysisPatch& patch) { patch.hold = false; });

    const TimeWindow later = an_hour_after(fixture.clock);
    change([&](AnalysisPatch& patch) { patch.window = std::optional{later}; });
    CHECK(now_at("1... a5") ==
          "not now: the analysis works in its time window only, " + later.text());
    change([](AnalysisPatch& patch) { patch.window = std::optional<TimeWindow>{}; });

    change([](AnalysisPatch& patch) { patch.budget = Budget{1, std::nullopt, std::nullopt}; });
    CHECK(now_at("1... a5") == "not now: the budget of the analysis is used up");
    change([](AnalysisPatch& patch) { patch.budget = Budget{}; });

    CHECK(now_at("1... f6 2. a3 g5 3. Qh5") == "the game is over in this position");
    CHECK(fixture.run(id).directives.size() == said);
    CHECK(fixture.store->directives(id).size() == said);
    CHECK(now_at("1... a5").empty());
    CHECK(fixture.run(id).directives.size() == said + 1);
}

TEST_CASE("directives: now without an engine that starts is refused with the engine's reason") {
    TemporaryDirectory directory;
    Bench bench;
    bench.missing = "cannot start /nowhere/engine: No such file or directory";
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 2);
    const auto made = fixture.core->direct(id, {}, "now", "").wait();
    REQUIRE_FALSE(made);
    CHECK(made.error().message == "not now: the engine does not work: " + *bench.missing);
    CHECK(made.error().kind == WorkError::Kind::futile_now);
}

TEST_CASE("directives: deepen far outside the window wakes a settled analysis and grows there") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2, 10);
        fixture.settle(id);
        const AnalysisRun& run = fixture.run(id);
        const auto line = line_of(run, "1... f6 2. a3 a5");
        const chess::Position far = line_end(run, line).position;
        const auto expanded = [&](const chess::Position& position) {
            const auto node = run.slot->graph().find(position.packed());
            return node && run.slot->graph().expanded(*node);
        };
        REQUIRE_FALSE(expanded(far));
        bench.asked.clear();
        fixture.direct(id, line, "deepen", "2");
        fixture.settle(id);
        CHECK(bench.asked.size() > 10);
        REQUIRE(expanded(far));
        const auto& graph = run.slot->graph();
        const auto node = *graph.find(far.packed());
        CHECK(graph.moves(node).size() > 1);
        CHECK(graph.count_below(node, 1'000) > 1); // and a ply below it
        bench.asked.clear();
    }
    { // it is a fact: after a restart nothing is missing
        CoreFixture fixture{directory.path(), bench};
        fixture.settle(id);
        CHECK(bench.asked.empty());
        CHECK(fixture.settled(id));
        // Cleared by the move that leads there.
        const AnalysisRun& run = fixture.run(id);
        fixture.direct(id, line_of(run, "1... f6 2. a3 a5"), "clear");
        for (const auto& [where, said] : run.node_directives) {
            CHECK(said.deepen == 0);
            CHECK(said.included.empty());
        }
    }
}

TEST_CASE("directives: deepen and include are refused where they could do nothing") {
    CoreAlone fixture;
    const auto id = fixture.create("1. e4", 2, 10);
    fixture.settle(id);
    const auto say = [&](const char* moves, const char* action) {
        const auto made =
            fixture.core->direct(id, line_of(fixture.run(id), moves), action, "").wait();
        return made ? std::string{} : made.error().message;
    };
    CHECK(say("1... f6 2. a3 g5 3. Qh5", "deepen") == "the game is over in this position");
    REQUIRE(say("1... c5", "exclude").empty());
    for (const char* action : {"deepen", "include"}) {
        INFO(action);
        const std::string reason = say("1... c5 2. Nf3", action);
        CHECK(reason.find("c5 is excluded in ") == 0);
        CHECK(reason.find("clear that first") != std::string::npos);
    }
    CHECK(say("1... c5", "include").empty()); // the later word on the move itself
    CHECK(say("1... c5 2. Nf3", "deepen").empty());
    // A later exclusion of the line ends it, and nothing on it is asked any more.
    REQUIRE(say("1... c5", "exclude").empty());
    fixture.settle(id);
    const AnalysisRun& run = fixture.run(id);
    const auto& at_root = run.node_directives.at(run.root_node);
    CHECK(at_root.excluded.size() == 1);
    CHECK(at_root.included.empty());
}

TEST_CASE("directives: nothing is asked where all moves are excluded") {
    CoreAlone fixture;
    const auto start = *chess::Position::from_fen("7k/8/8/8/8/8/6q1/7K w - - 0 1");
    const auto id = fixture.create_settled(wanted_at(start, "", 1));
    const auto only = line_of(fixture.run(id), "Kxg2");
    fixture.direct(id, only, "exclude");
    fixture.settle_down();
    for (const char* order : {"now", "deepen"}) {
        const auto said = fixture.core->direct(id, {}, order, "").wait();
        REQUIRE(!said);
        CHECK(said.error().message ==
              "all moves are excluded in " + start.fen() + "; clear one first");
    }
    CHECK(fixture.core->direct(id, only, "include", "").wait());
}
