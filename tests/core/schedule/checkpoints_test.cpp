// What a long search has found so far stays, whatever ends the program.
#include "core_fixture.hpp"

using namespace adjourn;
using namespace adjourn::server;
using engine_bridge::BestLine;

namespace {

struct SearchFixture : KilledCore {
    SearchFixture() {
        bench.processes = 1;
        open();
        id = fixture->create(ruy_lopez, 1);
        fixture->set_limit(id, {analysis::Limit::Kind::nodes, 1'000'000});
        fixture->settle_down();
        fixture->core->look_after();
    }
    void reopen() {
        kill();
        open();
        fixture->settle_down();
    }
    const engine_bridge::Job& job() const { return bench.queue.front(); }
    void tells(const char* move, int cp, int depth, std::uint64_t nodes,
               chess::Bound bound = chess::Bound::exact) {
        BestLine line{chess::Score::cp(cp),
                      bound,
                      depth,
                      depth + 4,
                      {*chess::parse_uci(job().position, move)}};
        line.wdl = chess::WinDrawLoss{100, 850, 50};
        bench.told.insert_or_assign(job().id, line);
        bench.told_nodes = nodes;
        fixture->core->look_after();
        fixture->flush();
        fixture->settle_down();
    }
    void passes(analysis::UnixMs ms) { fixture->clock += ms; }
    const storage::UsageRecord& usage() const { return run().usage; }
    std::vector<analysis::Evaluation> facts() const {
        return fixture->store->evaluations(job().position.packed());
    }
};

} // namespace

TEST_CASE("checkpoints: a search that lasts is stored as far as it has come") {
    SearchFixture f;
    f.tells("a7a6", 20, 10, 100'000);
    CHECK(f.facts().empty()); // it is young: it can be done again
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 200'000);
    REQUIRE(f.facts().size() == 1);
    const analysis::Evaluation first = f.facts().front();
    CHECK(first.question.limit == analysis::Limit{analysis::Limit::Kind::nodes, 200'000});
    CHECK(first.score == chess::Score::cp(22));
    CHECK(first.depth == 12);
    CHECK(first.nodes == 200'000);
    CHECK(first.wdl == chess::WinDrawLoss{100, 850, 50});
    CHECK(first.pv.size() == 1);
    // Not again until the nodes have grown by a quarter, or the move is another.
    f.tells("a7a6", 25, 13, 240'000);
    CHECK(f.facts().size() == 1);
    f.tells("g8f6", 26, 13, 241'000);
    CHECK(f.facts().size() == 2);
    f.tells("g8f6", 28, 14, 302'000);
    CHECK(f.facts().size() == 3);
    // A bound is no score.
    f.tells("g8f6", 40, 15, 600'000, chess::Bound::lower);
    CHECK(f.facts().size() == 3);
    CHECK(f.usage().nodes == 302'000);
    CHECK(f.usage().evaluations_new == 0); // nobody has asked for them
    // The graph has it: provisional, as it is smaller than the analysis's own limit.
    f.reopen();
    CHECK(f.facts().size() == 3);
    // The search itself is asked again, since nobody has its answer.
    CHECK(f.job().limit == analysis::Limit{analysis::Limit::Kind::nodes, 1'000'000});
}

TEST_CASE("checkpoints: none of a reproducible engine, and none at the limit itself") {
    SearchFixture f;
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 1'000'001);
    CHECK(f.facts().empty());
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 1;
    CoreFixture fixture{directory.path(), bench, true};
    fixture.create(ruy_lopez, 1);
    fixture.settle_down();
    fixture.core->look_after();
    const engine_bridge::Job job = bench.queue.front();
    bench.told.insert_or_assign(job.id, BestLine{chess::Score::cp(5),
                                                 chess::Bound::exact,
                                                 3,
                                                 4,
                                                 {*chess::parse_uci(job.position, "a7a6")}});
    bench.told_nodes = 500;
    fixture.clock += LongSearches::long_search;
    fixture.core->look_after();
    fixture.flush();
    CHECK(fixture.store->evaluation_count() == 0);
}

TEST_CASE(
    "checkpoints: what a search has cost is paid on its way, once, and a kill loses the rest") {
    SearchFixture f;
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 200'000);
    CHECK(f.usage().nodes == 200'000);
    CHECK(f.usage().engine_ms == LongSearches::long_search);
    f.passes(LongSearches::long_search / 2);
    f.tells("a7a6", 22, 12, 240'000); // not much more
    CHECK(f.usage().nodes == 200'000);
    f.passes(LongSearches::long_search / 2);
    f.tells("a7a6", 22, 12, 245'000); // it is time
    CHECK(f.facts().size() == 1);
    CHECK(f.usage().nodes == 245'000);
    f.passes(5'000);
    f.tells("a7a6", 22, 12, 248'000);
    const storage::UsageRecord paid = f.usage();
    CHECK(paid.engine_ms == 2 * LongSearches::long_search);
    CHECK(f.fixture->store->usage(f.id) == paid);
    f.reopen();
    CHECK(f.usage() == paid);
    // It is searched anew, which costs anew; its answer pays what is left.
    f.fixture->core->look_after();
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 400'000);
    CHECK(f.usage().nodes == 645'000);
    REQUIRE(f.bench.step());
    f.fixture->settle_down();
    CHECK(f.usage().nodes == 1'245'000);
    CHECK(f.usage().evaluations_new == 1);
    CHECK(f.usage().engine_ms == 3 * LongSearches::long_search); // more than it says itself
    CHECK(f.fixture->store->usage(f.id) == f.usage());
    CHECK(f.run().out.paid == storage::Cost{});
    CHECK(f.fixture->store->check().empty());
}

TEST_CASE(
    "checkpoints: a search without a score pays, too, and is paid again where it is made again") {
    SearchFixture f;
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 200'000, chess::Bound::lower);
    CHECK(f.facts().empty());
    CHECK(f.usage().nodes == 200'000);
    CHECK(f.fixture->store->usage(f.id).nodes == 200'000);
    // Its process dies; another one begins from nothing.
    const engine_bridge::Job job = f.job();
    f.bench.queue.pop_front();
    f.bench.told.clear();
    f.bench.takes = 0;
    f.bench.done(job.id, std::unexpected(engine_bridge::Failure{
                             engine_bridge::Failure::Kind::crashed, "died of signal 11", 1}));
    f.fixture->core->look_after();
    f.bench.takes = 1;
    f.bench.take();
    REQUIRE(f.job().id == job.id);
    f.fixture->core->look_after();
    f.passes(LongSearches::long_search);
    f.tells("a7a6", 22, 12, 100'000);
    CHECK(f.usage().nodes == 300'000);
    CHECK(f.run().out.paid.nodes == 100'000);
    CHECK(f.fixture->store->usage(f.id) == f.usage());
}

TEST_CASE("checkpoints: budgets count what is paid on the way once") {
    SearchFixture f;
    AnalysisPatch patch;
    patch.budget.emplace();
    patch.budget->nodes = 1'500'000;
    patch.budget->engine_seconds = 100;
    f.fixture->change(f.id, patch);
    const AnalysisRun& run = f.run();
    const auto planned = [&] { return run.nodes() + run.out.nodes_to_pay(); };
    const std::uint64_t before = planned();
    f.passes(60'000);
    f.tells("a7a6", 22, 12, 600'000);
    CHECK(run.usage.nodes == 600'000);
    CHECK(planned() == before);
    CHECK_FALSE(f.fixture->core->planner().time_is_up(run)); // 60 of 100 seconds
    f.passes(40'000);
    f.tells("a7a6", 22, 12, 900'000);
    CHECK(f.fixture->core->planner().time_is_up(run));
}
