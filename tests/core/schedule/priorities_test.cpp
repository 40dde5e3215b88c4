// A higher priority, and what a person wants now, gets its process soon, whatever is searched.
#include "core_fixture.hpp"

namespace {

constexpr analysis::UnixMs soon = Scheduler::long_in_the_way + 400;

struct Ranks : KilledCore {
    analysis::AnalysisId low{};

    explicit Ranks(std::size_t processes = 1) {
        bench.processes = bench.takes = processes;
        open();
        low = fixture->create("e4", 0);
        pass(0);
    }
    // In steps of the tick; processes hear what is withdrawn.
    void pass(analysis::UnixMs ms) {
        for (analysis::UnixMs gone = 0; gone <= ms; gone += 200) {
            fixture->pass(gone == 0 ? 0 : 200);
            bench.stop_cancelled();
            fixture->settle_down();
        }
    }
    // Until low has as many questions as there are processes: at first it has its root alone.
    void grow() {
        while (searched_of(low) < bench.processes) {
            REQUIRE(bench.step());
            fixture->settle_down();
        }
    }
    // Has one question: its root has one legal move. When that is answered it is settled.
    analysis::AnalysisId single(int priority) {
        const auto start = *chess::Position::from_fen("7k/8/8/8/8/8/1q5P/K7 w - - 0 1");
        NewAnalysis wanted = wanted_at(start, "", 1);
        wanted.priority = priority;
        return fixture->create(std::move(wanted));
    }
    std::size_t searched_of(analysis::AnalysisId id) const {
        return static_cast<std::size_t>(std::ranges::count_if(bench.queue, [&](const auto& job) {
            const JobInfo* info = fixture->core->scheduler().job(job.id);
            return info != nullptr && info->analysis == id;
        }));
    }
};

} // namespace

TEST_CASE("priorities: a long search of a lower one is put back, and asked again later") {
    Ranks f;
    const engine_bridge::Job first = f.bench.queue.front();
    f.pass(10'000);
    CHECK(f.bench.queue.front().id == first.id); // nobody else wants anything
    const auto high = f.single(5);
    f.pass(400);
    CHECK(f.searched_of(high) == 1);
    CHECK(f.searched_of(f.low) == 0);
    CHECK(f.bench.asked.back().priority == 5);
    f.pass(6'000);
    CHECK(f.fixture->run(f.low).record.state == storage::AnalysisState::queued);
    CHECK(f.fixture->run(f.low).record.state_reason == "waits for analyses of higher priority");
    f.fixture->work_until([&] { return f.fixture->settled(high); });
    f.pass(200);
    REQUIRE(f.bench.queue.size() == 1);
    CHECK(f.bench.queue.front().id == first.id); // it was not lost
    CHECK(f.fixture->run(f.low).record.state == storage::AnalysisState::running);
    f.fixture->work_until([&] { return f.fixture->run(f.low).usage.evaluations_new > 5; });
    CHECK(f.fixture->store->failures(f.fixture->run(f.low).record.engine).empty());
}

TEST_CASE("priorities: another priority counts for what is out already") {
    Ranks f;
    const auto other = f.fixture->create("d4", 1, 20, 0);
    f.pass(soon);
    CHECK(f.searched_of(other) == 0);
    AnalysisPatch patch;
    patch.priority = -5;
    f.fixture->change(f.low, patch);
    f.pass(400);
    CHECK(f.searched_of(other) == 1);
}

TEST_CASE("priorities: what is short is finished, and what was put back gets twice as long") {
    Ranks f;
    const auto high = f.single(5);
    f.pass(Scheduler::long_in_the_way - 400);
    CHECK(f.searched_of(f.low) == 1);
    f.pass(800);
    CHECK(f.searched_of(high) == 1);
    f.fixture->work_until([&] { return f.fixture->settled(high); });
    f.pass(200);
    REQUIRE(f.searched_of(f.low) == 1); // the same, from the start
    const auto next = f.fixture->create("c4", 1, 20, 5);
    f.pass(soon);
    CHECK(f.searched_of(f.low) == 1);
    f.pass(soon);
    CHECK(f.searched_of(next) == 1);
}

TEST_CASE("priorities: none is stopped for the same or a lower one") {
    Ranks f{2};
    f.grow();
    f.fixture->create("d4", 0, 20, 0);
    f.fixture->create("c4", 0, 20, -3);
    f.pass(60'000);
    CHECK(f.searched_of(f.low) == 2);
}

TEST_CASE("priorities: of several processes only as many are taken as there are questions") {
    Ranks f{4};
    f.grow();
    f.pass(10'000);
    CHECK(f.searched_of(f.low) == 4);
    const auto high = f.single(5);
    f.pass(2'000);
    CHECK(f.searched_of(high) == 1);
    CHECK(f.searched_of(f.low) == 3);
}

TEST_CASE("priorities: a person's \"now\" gets a process of a long search") {
    Ranks f;
    f.pass(soon);
    const AnalysisRun& run = f.fixture->run(f.low);
    REQUIRE(
        f.fixture->core->direct(f.low, {*chess::parse_uci(run.root, "e7e5")}, "now", "").wait());
    f.fixture->settle_down();
    f.pass(400);
    REQUIRE(f.bench.queue.size() == 1);
    CHECK(f.bench.queue.front().urgent);
}

TEST_CASE("priorities: what a search had found and cost is kept when it is put back") {
    Ranks f; // its root, to depth 8
    const engine_bridge::Job job = f.bench.queue.front();
    f.bench.told.insert_or_assign(
        job.id, engine_bridge::BestLine{chess::Score::cp(5),
                                        chess::Bound::exact,
                                        7,
                                        9,
                                        {*chess::parse_uci(job.position, "e7e5")}});
    f.bench.told_nodes = 300'000;
    f.pass(10'000);
    const storage::UsageRecord before = f.fixture->run(f.low).usage;
    CHECK(before.nodes == 0);
    f.fixture->create("d4", 1, 20, 5);
    f.pass(400);
    const storage::UsageRecord& after = f.fixture->run(f.low).usage;
    CHECK(after.nodes == 300'000);
    CHECK(after.engine_ms >= 10'000);
    CHECK(f.fixture->store->usage(f.low) == after);
    CHECK(f.fixture->store->evaluations(job.position.packed()).size() == 1);
}

TEST_CASE("priorities: a clock that is set back or forward stops nothing, and hides nothing") {
    const analysis::UnixMs by = GENERATE(-86'400'000, 86'400'000);
    Ranks f;
    f.fixture->create("d4", 1, 20, 5);
    f.pass(400);
    f.fixture->set_by = by;
    f.pass(400);
    CHECK(f.searched_of(f.low) == 1);
    f.pass(soon);
    CHECK(f.searched_of(f.low) == 0);
    f.pass(6'000);
    CHECK(f.fixture->run(f.low).record.state == storage::AnalysisState::queued);
}
