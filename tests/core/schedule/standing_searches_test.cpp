// The long search that stands beside a tree: whose it is, what it leaves, and what it costs.
#include "analysis/root_answer.hpp"
#include "core_fixture.hpp"

using namespace adjourn;
using namespace adjourn::server;
using analysis::Limit;
using engine_bridge::BestLine;

namespace {

constexpr std::uint64_t limit_nodes = 1'000; // of the analyses' limit

// Of a pawn ending; `threads` as of StrategyParameters.
analysis::AnalysisId create(CoreFixture& fixture, int refine, int threads = 0,
                            std::optional<std::uint64_t> budget = {}, double court = 0) {
    const chess::Position start =
        chess::Position::from_fen("4k3/2pp4/8/8/8/8/4PP2/4K3 w - - 0 1").value();
    NewAnalysis wanted{"", start, {}, "", {}, {}, 0, false};
    wanted.limit = {Limit::Kind::nodes, limit_nodes};
    wanted.spec.strategy = analysis::default_parameters("anchored");
    wanted.spec.strategy.move_distance = 15;
    wanted.spec.strategy.refine = refine;
    wanted.spec.strategy.anchor_threads = threads;
    wanted.spec.strategy.own = {court};
    wanted.spec.budget.nodes = budget;
    const auto id = fixture.create(std::move(wanted));
    fixture.settle_down();
    return id;
}

struct LongBeside : KilledCore {
    explicit LongBeside(std::size_t processes = 8, int refine = 3, int threads = 0,
                        std::optional<std::uint64_t> budget = {}, double court = 0) {
        bench.processes = processes;
        bench.options = {{"Hash", "64"}, {"Threads", "1"}};
        open();
        id = create(*fixture, refine, threads, budget, court);
        fixture->pass(0);
        stop_cancelled();
    }
    void reopen() {
        kill();
        open();
        fixture->settle_down();
        fixture->pass(0);
    }
    // Until nothing searches for it.
    void pause() {
        fixture->hold(id);
        fixture->settle_down();
        fixture->core->look_after();
        fixture->settle_down();
    }
    // The process that stands beside; null where none searches.
    Bench* beside() const {
        const auto found = std::ranges::find_if(
            bench.looking, [](const auto& each) { return !each->stopped && !each->queue.empty(); });
        return found == bench.looking.end() ? nullptr : found->get();
    }
    void tells(const char* move, int cp, int depth, std::uint64_t searched) {
        Bench* const process = beside();
        REQUIRE(process != nullptr);
        process->told.insert_or_assign(process->queue.front().id,
                                       BestLine{chess::Score::cp(cp),
                                                chess::Bound::exact,
                                                depth,
                                                depth + 4,
                                                {*chess::parse_uci(run().root, move)}});
        process->told_nodes = searched;
        fixture->pass(200);
    }
    // The tree gets all that it asks for.
    void grow() {
        stop_cancelled();
        while (bench.step()) {
            fixture->settle_down();
        }
    }
    // The processes hear that nobody wants their searches any more.
    void stop_cancelled() {
        bench.stop_cancelled();
        for (const auto& each : bench.looking) {
            each->stop_cancelled();
        }
        fixture->settle_down();
    }
    std::optional<analysis::Anchor> anchor() const {
        return analysis::anchor_of(run().slot->graph(), run().root_node, run().record.limit);
    }
    // What the process that stands beside searches among; empty: all moves.
    std::vector<chess::Move> among() const {
        return beside() == nullptr ? std::vector<chess::Move>{}
                                   : beside()->queue.back().searchmoves;
    }
    const analysis::JointSearch* court() const { return court_of(run()); }
    bool asks_for_anchors() const {
        return std::ranges::any_of(bench.queue, [&](const engine_bridge::Job& job) {
            return job.position == run().root && job.searchmoves.empty() &&
                   job.limit.amount >= 8 * limit_nodes;
        });
    }
    std::size_t lent() const { return fixture->core->engines().dispatcher()->lent(0); }
};

} // namespace

TEST_CASE("standing search: it has three quarters of the processes for threads, and the tree the "
          "others") {
    LongBeside f;
    Bench* const beside = f.beside();
    REQUIRE(beside != nullptr);
    CHECK(beside->threads == 6);
    CHECK(f.lent() == 6);
    CHECK(beside->queue.front().position == f.run().root);
    CHECK(beside->queue.front().searchmoves.empty());
    CHECK(beside->queue.front().limit.amount >= 4'000 * 8 * limit_nodes);
    CHECK_FALSE(f.asks_for_anchors());
    f.grow();
    CHECK_FALSE(f.asks_for_anchors());
    CHECK(f.beside() == beside); // it is the same search still
    CHECK(beside->asked.size() == 1);
    // All of the first level but the long search is there.
    CHECK(f.run().plan.settled == 0);
    CHECK(f.run().record.state == storage::AnalysisState::running);
    CHECK_FALSE(f.anchor());
}

TEST_CASE("standing search: one thread and one hash where the engine knows no threads, or there "
          "are two processes") {
    CHECK(LongBeside{2}.beside()->threads == 0); // as the profile says
    CHECK(LongBeside{8, 3, 3}.beside()->threads == 3);
    CHECK(LongBeside{4, 3, 100}.beside()->threads == 3); // one process is the tree's
    CoreAlone fixture{8};
    Bench& bench = fixture.bench;
    create(fixture, 3);
    fixture.pass(0);
    REQUIRE(bench.looking.size() == 1);
    CHECK(bench.looking[0]->threads == 0);
    CHECK(fixture.core->engines().dispatcher()->lent(0) == 1);
}

TEST_CASE("standing search: a level settles when the tree has, and the search has had its nodes") {
    LongBeside f{8, 1};
    f.grow();
    f.tells("e2e4", 12, 9, 8 * limit_nodes - 1);
    CHECK_FALSE(f.anchor());
    CHECK(f.run().plan.settled == 0);
    f.tells("e2e4", 15, 10, 8 * limit_nodes + 5);
    REQUIRE(f.anchor());
    CHECK(chess::to_uci(f.run().root, f.anchor()->move) == "e2e4");
    const auto facts = f.fixture->store->evaluations(f.run().root.packed());
    CHECK(std::ranges::any_of(facts, [](const analysis::Evaluation& fact) {
        return fact.question.limit == Limit{Limit::Kind::nodes, 8 * limit_nodes + 5} &&
               fact.depth == 10;
    }));
    f.grow();
    f.fixture->pass(200);
    for (std::uint64_t more = 16; f.beside() != nullptr && more < 5'000; more *= 2) {
        f.tells("e2e4", 15, 11, more * limit_nodes + 5);
        f.grow();
        f.fixture->pass(200);
    }
    CHECK(f.fixture->settled(f.id));
    f.stop_cancelled();
    CHECK(f.beside() == nullptr); // it has ended with the analysis
    CHECK(f.lent() == 0);
    CHECK(f.bench.looking[0]->asked.size() == 1); // one search from start to end
}

TEST_CASE("standing search: what it has spent counts at once, and once") {
    LongBeside f;
    const std::uint64_t before = f.run().usage.nodes;
    const std::uint64_t ms_before = f.run().usage.engine_ms;
    f.tells("e2e4", 12, 9, 5'000);
    CHECK(f.run().nodes() == before + 5'000);
    CHECK(f.run().usage.nodes == before);
    f.fixture->pass(1'800);
    f.tells("e2e4", 12, 10, 9'000);
    CHECK(f.run().nodes() == before + 9'000);
    CHECK(f.run().engine_ms() == 6 * 2'200 + ms_before); // paid on the way or not
    const std::uint64_t ms = f.run().engine_ms();
    f.pause();
    CHECK(f.beside()->cancelled.size() == 1);
    CHECK(f.lent() == 0);
    CHECK(f.run().usage.nodes == before + 9'000);
    CHECK(f.run().usage.engine_ms == ms);
    CHECK(f.fixture->store->usage(f.id).nodes == f.run().usage.nodes);
    CHECK(f.fixture->store->usage(f.id).engine_ms == ms);
}

TEST_CASE("standing search: a kill loses what it has spent since the last checkpoint, no more") {
    LongBeside f;
    f.tells("e2e4", 12, 9, 8 * limit_nodes); // a step: it is stored
    const storage::UsageRecord kept = f.run().usage;
    CHECK(kept.nodes == 8 * limit_nodes);
    CHECK(f.run().nodes() == kept.nodes);
    f.tells("e2e4", 12, 9, 8 * limit_nodes + 500);
    CHECK(f.run().nodes() == kept.nodes + 500);
    CHECK(f.run().engine_ms() == kept.engine_ms + 6 * 200);
    for (int life = 1; life <= 3; ++life) { // also where it finds nothing that is not known
        CAPTURE(life);
        const storage::UsageRecord stored = f.fixture->store->usage(f.id);
        f.reopen();
        CHECK(f.run().usage == stored);
        CHECK(f.run().nodes() == stored.nodes);
        f.tells("e2e4", 12, 7, 3 * limit_nodes);
        f.fixture->pass(LongSearches::long_search);
        CHECK(f.fixture->store->usage(f.id).nodes == stored.nodes + 3 * limit_nodes);
        CHECK(f.fixture->store->usage(f.id) == f.run().usage);
        CHECK(f.run().nodes() == f.run().usage.nodes);
    }
    CHECK(f.fixture->store->check().empty());
}

TEST_CASE("standing search: its answer and its end at the same time are paid once") {
    LongBeside f;
    f.tells("e2e4", 12, 9, 5'000);
    const std::uint64_t before = f.run().usage.nodes;
    f.fixture->hold(f.id);
    Bench* const beside = f.beside();
    REQUIRE(beside != nullptr);
    const std::uint64_t all = beside->queue.front().limit.amount;
    SECTION("the answer is with the writer already") {
        REQUIRE(beside->step());
        f.fixture->core->look_after();
    }
    SECTION("the answer comes just after") {
        f.fixture->core->look_after();
        REQUIRE(beside->step());
    }
    f.fixture->settle_down();
    CHECK(f.run().usage.nodes == before + all);
    CHECK(f.fixture->store->usage(f.id) == f.run().usage);
    CHECK(f.fixture->store->asked(f.id).size() == f.run().usage.evaluations_new);
}

TEST_CASE("standing search: its process waits a minute for another, whoever sets the clock") {
    LongBeside f;
    const auto reserved = [&] { return f.fixture->core->engines().dispatcher()->reserved(); };
    CHECK(reserved() == 1);
    const analysis::UnixMs by = GENERATE(-86'400'000, 0, 86'400'000);
    f.fixture->hold(f.id);
    f.fixture->pass(200);
    f.fixture->set_by = by;
    f.fixture->pass(LongSearches::warm - 1);
    CHECK(reserved() == 1);
    f.fixture->pass(1);
    CHECK(reserved() == 0);
}

TEST_CASE("standing search: it ends with the budget") {
    LongBeside f{8, 0, 0, 100'000};
    CHECK(f.beside()->queue.front().limit.amount <= 100'000);
    f.tells("e2e4", 12, 9, 99'999);
    f.tells("e2e4", 12, 9, 100'000);
    f.fixture->pass(200);
    CHECK(f.beside()->cancelled.size() == 1);
    f.grow();
    f.fixture->pass(200);
    CHECK(f.run().record.state == storage::AnalysisState::exhausted);
    CHECK(f.fixture->store->usage(f.id).nodes >= 99'999);
}

TEST_CASE("standing search: what an hour knew is there after a kill, and it begins anew") {
    LongBeside f;
    f.tells("e2e4", 12, 9, 8 * limit_nodes);
    f.tells("e2e3", 14, 12, 70 * limit_nodes);
    f.fixture->settle_down();
    REQUIRE(f.anchor());
    const int step = f.anchor()->step;
    CHECK(step == 3);
    f.reopen();
    REQUIRE(f.anchor());
    CHECK(f.anchor()->step == step);
    CHECK(chess::to_uci(f.run().root, f.anchor()->move) == "e2e3");
    REQUIRE(f.beside() != nullptr);
    // What is known already is not stored again in smaller pieces.
    const std::size_t known = f.fixture->store->evaluations(f.run().root.packed()).size();
    f.tells("e2e4", 10, 8, 20 * limit_nodes);
    f.fixture->pass(LongSearches::long_search);
    CHECK(f.fixture->store->evaluations(f.run().root.packed()).size() == known);
    f.tells("e2e3", 14, 13, 130 * limit_nodes);
    CHECK(f.fixture->store->evaluations(f.run().root.packed()).size() == known + 1);
    CHECK(f.anchor()->step == step + 1);
}

TEST_CASE("standing search: only where an analysis has the engine to itself") {
    LongBeside f;
    CHECK(f.beside()->cancelled.empty());
    create(*f.fixture, 3);
    f.grow();
    f.fixture->pass(200);
    CHECK(f.lent() == 0);
    CHECK_FALSE(f.run().out.long_search);
    CHECK(f.fixture->core->long_searches().standing_search(f.id) == nullptr);
    for (const int threads : {0, -1}) { // nor where it is not wanted
        CAPTURE(threads);
        LongBeside other{8, 3, threads};
        CHECK((other.beside() != nullptr) == (threads == 0));
    }
    CHECK(LongBeside{1}.beside() == nullptr);
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture reproducible{directory.path(), bench, true};
    create(reproducible, 1);
    reproducible.pass(0);
    CHECK(bench.looking.empty());
}

TEST_CASE("standing search: who looks takes of its processes first; the tree keeps one") {
    LongBeside f{2};
    CHECK(f.lent() == 1);
    REQUIRE(f.fixture->core->long_searches().begin(f.run(), {}));
    f.fixture->pass(200);
    CHECK(f.lent() == 1);
    CHECK(f.bench.looking.size() == 2);
}

TEST_CASE("standing search: an engine that dies of it is not asked again at once") {
    LongBeside f;
    Bench* const beside = f.beside();
    const engine_bridge::Job job = beside->queue.front();
    beside->queue.pop_front();
    beside->die_of(job);
    f.fixture->settle_down();
    CHECK_FALSE(f.run().out.long_search);
    CHECK(f.lent() == 0);
    f.fixture->pass(200);
    CHECK(f.beside() == nullptr);
    CHECK(f.asks_for_anchors()); // the root is searched as beside others
    f.fixture->pass(LongSearches::pause);
    CHECK(f.beside() != nullptr);
}

TEST_CASE("standing search: the game goes on, and it searches the new root") {
    LongBeside f;
    f.tells("e2e4", 12, 9, 9 * limit_nodes);
    REQUIRE(f.fixture->core->advance(f.id, 0, {*chess::parse_uci(f.run().root, "e2e4")}).wait());
    f.fixture->settle_down();
    f.fixture->pass(200);
    f.fixture->pass(200);
    const auto at_work = std::ranges::find_if(f.bench.looking, [&](const auto& each) {
        return !each->queue.empty() && each->queue.back().position == f.run().root;
    });
    CHECK(at_work != f.bench.looking.end());
}

TEST_CASE("standing search: a level ends with a court, in the same process, and then it goes on") {
    LongBeside f{8, 2, 0, {}, 0.25};
    f.grow();
    CHECK(f.among().empty());
    // The long search has had as much as the level, and all else of the level is there.
    f.tells("e2e4", 15, 10, 200 * limit_nodes + 5);
    f.grow();
    Bench* const beside = f.beside();
    REQUIRE(f.run().plan.court);
    CHECK(f.run().plan.settled == 0);
    f.fixture->pass(200);
    f.stop_cancelled();
    CHECK(f.beside() == beside); // it knows the root
    REQUIRE(beside->asked.size() == 2);
    CHECK(f.among().size() >= 2);
    CHECK(f.among().size() <= analysis::JointSearch::most_moves);
    const Limit limit = beside->queue.back().limit;
    CHECK(limit == analysis::court_limit(f.run().record.limit, f.anchor()->step, 0.25));
    CHECK(f.lent() == 6);
    CHECK(f.court() == nullptr);
    // It is asked once, whatever the tree finds meanwhile.
    f.grow();
    f.fixture->pass(200);
    CHECK(beside->asked.size() == 2);
    CHECK(std::ranges::none_of(f.bench.asked, [&](const engine_bridge::Job& job) {
        return job.position == f.run().root && job.limit == limit;
    }));
    REQUIRE(beside->step());
    f.fixture->settle_down();
    REQUIRE(f.court() != nullptr);
    CHECK(f.run().plan.settled >= 1);
    f.fixture->pass(200);
    CHECK(f.among().empty()); // the long search again
    CHECK_FALSE(f.run().plan.court);
}

TEST_CASE("standing search: what a court has found when it is ended is stored") {
    LongBeside f{8, 0, 0, 2'000 * limit_nodes, 0.25};
    f.tells("e2e4", 15, 10, 1'510 * limit_nodes); // three quarters of the budget
    for (int i = 0; i < 8 && f.among().empty(); ++i) {
        f.grow();
        f.fixture->pass(200);
        f.stop_cancelled();
    }
    REQUIRE(f.among().size() >= 2);
    const chess::Move best = f.among().front();
    f.tells(chess::to_uci(f.run().root, best).c_str(), 21, 12, 30 * limit_nodes);
    f.pause();
    const auto facts = f.fixture->store->evaluations(f.run().root.packed());
    CHECK(std::ranges::any_of(facts, [&](const analysis::Evaluation& fact) {
        return fact.question.limit == Limit{Limit::Kind::nodes, 30 * limit_nodes} &&
               !fact.question.excluded.empty() && fact.move == best;
    }));
}
