#include "core/graphs/graph_slot.hpp"

#include "core/graphs/analysis_run.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;
using analysis::QuestionState;

namespace {

constexpr analysis::UnixMs minute = 60'000;
constexpr analysis::UnixMs now = 1'700'000'000'000;

struct Slot {
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    storage::EngineRecord engine = known();
    GraphSlot slot{*store, engine, nullptr, GraphKey{engine.id}};
    const NodeQuestion asked{
        slot.intern(chess::Position::initial()), {analysis::Limit::Kind::depth, 8}, {}};

    storage::EngineRecord known() const {
        storage::EngineRecord record;
        record.name = "an engine";
        record.id = store->engine(record);
        return record;
    }
};

} // namespace

TEST_CASE("graph slot: a question is open, out, or failed") {
    Slot f;
    CHECK(f.slot.state(f.asked) == QuestionState::open);
    f.slot.mark_pending(f.asked);
    CHECK(f.slot.state(f.asked) == QuestionState::pending);
    CHECK(f.slot.waits_at(f.asked.node));
    f.slot.mark_pending(f.asked); // to mark it again changes nothing
    f.slot.unmark_pending(f.asked);
    CHECK_FALSE(f.slot.waits_at(f.asked.node));
    f.slot.mark_failed(f.asked, "it died", 3, now);
    CHECK(f.slot.state(f.asked) == QuestionState::failed);
    CHECK(f.slot.failure_at(f.asked.node) == "it died");
    f.slot.retry_failed();
    CHECK(f.slot.state(f.asked) == QuestionState::open);
    CHECK(f.slot.attempts(f.asked) == 3);
    CHECK(f.slot.retry_due(now, now)); // others wait for it, too
    CHECK_FALSE(f.slot.retry_due(now, now));
}

TEST_CASE("graph slot: pauses after failures grow from a minute to six hours") {
    Slot f;
    analysis::UnixMs at = now;
    for (const analysis::UnixMs pause :
         {minute, 4 * minute, 16 * minute, 64 * minute, 256 * minute, 360 * minute, 360 * minute}) {
        f.slot.mark_failed(f.asked, "it died", 3, at);
        CHECK_FALSE(f.slot.retry_due(at + pause - 1, at + pause - 1));
        CHECK(f.slot.state(f.asked) == QuestionState::failed);
        at += pause;
        CHECK(f.slot.retry_due(at, at));
        CHECK(f.slot.state(f.asked) == QuestionState::open);
    }
}

TEST_CASE("graph slot: an answer waits while somebody reads, and its question is not asked again") {
    Slot f;
    analysis::Evaluation fact;
    fact.question = {chess::Position::initial().packed(), f.engine.id, f.asked.limit, {}};
    fact.move = chess::Position::initial().legal_moves()[0];
    fact.score = chess::Score::cp(20);
    fact.at = now;
    f.slot.lock().enter();
    CHECK_FALSE(f.slot.apply_soon(fact));
    CHECK(f.slot.anything_waits());
    CHECK(f.slot.complete_until(now + 5) == now - 1);
    CHECK_FALSE(f.slot.graph().expanded(f.asked.node));
    CHECK(f.slot.state(f.asked) == QuestionState::pending);
    CHECK(f.slot.state({f.asked.node, {analysis::Limit::Kind::depth, 9}, {}}) ==
          QuestionState::open);
    CHECK_FALSE(f.slot.take_waiting());
    f.slot.lock().leave();
    const auto changed = f.slot.take_waiting();
    REQUIRE(changed);
    CHECK(*changed == std::vector{f.asked.node});
    CHECK_FALSE(f.slot.anything_waits());
    CHECK(f.slot.complete_until(now + 5) == now + 5);
    CHECK(f.slot.graph().expanded(f.asked.node));
    CHECK(f.slot.newest() == now);
    CHECK(f.slot.state(f.asked) == QuestionState::open); // the plan sees the answer
}

TEST_CASE("recorded level: the deepest under the present rules, no deeper than is asked for") {
    AnalysisRun run{{}, {}, chess::Position::initial(), chess::Position::initial()};
    run.record.limit = {analysis::Limit::Kind::depth, 8};
    const auto recorded = [&](int refine, const analysis::Limit& limit) {
        storage::SnapshotRecord record;
        record.refine = refine;
        record.data = rules_text(limit, run.spec.strategy, run.spec.accept);
        run.snapshots.emplace_back(record);
    };
    CHECK(recorded_level(run) == 0);
    recorded(1, run.record.limit);
    recorded(3, run.record.limit);
    recorded(5, {analysis::Limit::Kind::depth, 9}); // of other rules
    run.spec.strategy.refine = 0;                   // without end
    CHECK(recorded_level(run) == 3);
    run.spec.strategy.refine = 2;
    CHECK(recorded_level(run) == 2);
    run.spec.accept = {"epd"};
    CHECK(recorded_level(run) == 0);
}

TEST_CASE("asked facts: each is there once, and no other") {
    AskedFacts asked;
    const auto every_third = [](std::int64_t i) { return analysis::EvaluationId{3 * i}; };
    for (std::int64_t i = 1; i <= 10'000; ++i) {
        asked.insert(every_third(i));
        asked.insert(every_third(1 + i / 2)); // again
    }
    CHECK(asked.size() == 10'000);
    std::size_t found = 0;
    for (std::int64_t id = 0; id <= 30'010; ++id) {
        found += asked.contains(analysis::EvaluationId{id}) ? 1 : 0;
    }
    CHECK(found == 10'000);
    asked.insert(analysis::EvaluationId{}); // no row is none
    CHECK(asked.size() == 10'000);
    CHECK_FALSE(asked.contains(analysis::EvaluationId{}));
}
