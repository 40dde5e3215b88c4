// The scheduler without a core: a queue, graphs that are read at once, and simulated engines.
#include "core/schedule/scheduler.hpp"

#include "chess/notation.hpp"
#include "simulated_workers.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

namespace adjourn::server {

namespace {

using storage::AnalysisState;

struct SchedulerAlone {
    SchedulerAlone() {
        engine_bridge::Profile profile;
        profile.name = "some";
        profile.count = bench.processes;
        engine = engines.add(profile).get();
        engine->identity = engine_bridge::Identity{"Some 1.0", "nobody", {}, ""};
        storage::EngineRecord record;
        record.name = "Some 1.0";
        engine->id = store->engine(record);
        engine->index = dispatcher->add(profile.name);
        engine->processes = std::make_unique<SimulatedProcesses>(
            dispatcher, engine->index, bench, engine_bridge::Processes::Callbacks{});
        graphs.begin();
        scheduler.begin();
    }
    ~SchedulerAlone() { store->flush(); }

    AnalysisRun& add(const std::string& moves, int priority = 0, bool hold = false) {
        const chess::Position start = chess::Position::initial();
        NewAnalysis wanted{moves,    start, *chess::parse_line(start, moves), "", {}, {},
                           priority, hold};
        wanted.spec.strategy = analysis::default_parameters("halving");
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        wanted.spec.strategy.refine = 2;
        const auto run = queue.create(std::move(wanted), "some", engine->id).wait();
        REQUIRE(run);
        graphs.join(**run);
        return **run;
    }
    // What is due, until nothing is.
    void run() {
        do {
            store->flush();
            context.restart();
        } while (context.poll() > 0);
    }
    void fill() {
        scheduler.fill_soon();
        run();
    }
    std::size_t out_of(const AnalysisRun& run) const { return run.out.in_flight; }

    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    analysis::UnixMs clock = 1'700'000'000'000;
    std::function<analysis::UnixMs()> now = [this] { return clock; };
    Bench bench;
    boost::asio::io_context context;
    base::TaskScope scope{context};
    Health health{*store, {}};
    Background background{scope.poster(), health, {}};
    std::shared_ptr<Dispatcher> dispatcher =
        std::make_shared<Dispatcher>(Dispatcher::Rules{.tries_at_a_place = 3});
    Engines engines{dispatcher};
    EngineSlot* engine = nullptr;
    Queue queue{*store, health, now, scope.poster()};
    Graphs graphs{*store,
                  background,
                  {},
                  {[this](AnalysisRun& run) {
                       run.restart();
                       scheduler.fill_soon();
                   },
                   [this](AnalysisRun& run, const std::string& why) { scheduler.fail(run, why); },
                   [this](GraphSlot& slot, const auto&) { scheduler.facts_came(slot); },
                   [](const GraphKey&, const GraphSlot*, const std::string&) {},
                   [](const GraphSlot&) {}, [](const std::vector<std::string>&) {}}};
    Planner planner{queue, graphs, engines, now};
    Scheduler scheduler{queue,          graphs,
                        planner,        engines,
                        health,         Recorder{*store, queue.moments(), scope.poster(), ""},
                        scope.poster(), {now, now, {}}};
};

} // namespace

TEST_CASE("each engine gets as many questions as it has room for, and each once", "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& run = here.add("e2e4");
    here.fill();
    CHECK(here.bench.queue.size() >= 1);
    CHECK(here.bench.queue.size() <= 2 * here.bench.processes);
    CHECK(here.out_of(run) == here.bench.queue.size());
    CHECK(run.record.state == AnalysisState::running);
    const std::size_t asked = here.bench.asked.size();
    here.fill();
    CHECK(here.bench.asked.size() == asked);
    CHECK_FALSE(here.scheduler.all_back());
    const JobInfo* job = here.scheduler.job(here.bench.queue.front().id);
    REQUIRE(job != nullptr);
    CHECK(job->analysis == run.record.id);
}

TEST_CASE("what comes back is in the graph, and work goes on until the last level has settled",
          "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& run = here.add("e2e4");
    here.fill();
    std::size_t answers = 0;
    while (here.bench.step() && answers < 5'000) {
        ++answers;
        here.run();
    }
    CHECK(here.scheduler.all_back());
    CHECK(run.record.state == AnalysisState::settled);
    CHECK(run.plan.settled == 2);
    CHECK(here.store->evaluation_count() == answers);
    CHECK(run.usage.evaluations_new == answers);
    CHECK(here.store->analyses().front().state == AnalysisState::settled);
    CHECK(here.store->snapshots(run.record.id).size() == run.snapshots.size());
}

TEST_CASE("the turn is the higher priority's; a paused analysis has none", "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& paused = here.add("e2e4", 9, true);
    AnalysisRun& low = here.add("d2d4", 1);
    AnalysisRun& high = here.add("c2c4", 2);
    here.fill();
    CHECK(here.out_of(paused) == 0);
    CHECK(here.out_of(high) >= 1);
    CHECK(here.scheduler.job(here.bench.asked.front().id)->analysis == high.record.id);
    CHECK(here.scheduler.why_idle(paused) == "the analysis is paused");
    CHECK(here.scheduler.why_idle(low).empty());
}

TEST_CASE("only one analysis is worked on where that was said", "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& one = here.add("e2e4");
    AnalysisRun& other = here.add("d2d4");
    here.scheduler.work_only_on(other.record.id);
    here.fill();
    CHECK(here.out_of(one) == 0);
    CHECK(here.out_of(other) >= 1);
}

TEST_CASE("nothing is asked where the budget's moment is over", "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& run = here.add("e2e4");
    run.spec.budget.until = here.clock + 1'000;
    here.clock += 1'000;
    here.fill();
    CHECK(here.bench.asked.empty());
    CHECK(run.record.state == AnalysisState::exhausted);
    run.spec.budget.until = here.clock + 1;
    here.fill();
    CHECK_FALSE(here.bench.asked.empty());
}

TEST_CASE("a question that no engine survives is asked again when its pause is over",
          "[scheduler]") {
    SchedulerAlone here;
    AnalysisRun& run = here.add("e2e4");
    here.bench.poison.insert(run.root.engine_fen());
    here.fill();
    while (here.bench.step()) {
        here.run();
    }
    CHECK(run.record.state == AnalysisState::failed);
    here.bench.poison.clear();
    const std::size_t asked = here.bench.asked.size();
    here.clock += 59'000;
    here.scheduler.retry_unanswered();
    here.fill();
    CHECK(here.bench.asked.size() == asked);
    here.clock += 1'000;
    here.scheduler.retry_unanswered();
    here.fill();
    CHECK(here.bench.asked.size() > asked);
    CHECK(run.record.state == AnalysisState::running);
}

TEST_CASE("nothing goes out once the scheduler has stopped", "[scheduler]") {
    SchedulerAlone here;
    here.add("e2e4");
    here.scheduler.stop();
    here.fill();
    CHECK(here.bench.asked.empty());
}

} // namespace adjourn::server
