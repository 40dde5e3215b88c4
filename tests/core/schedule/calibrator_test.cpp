// How sure an answer is, by what became of those of before.
#include "core/schedule/answer.hpp"
#include "core_fixture.hpp"

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct Told {
    Sure sure;
    std::string best; // UCI
    std::string text;
};

Told told(const CoreFixture& fixture, analysis::AnalysisId id) {
    const AnalysisRun& run = fixture.run(id);
    const Surety surety = fixture.core->surety_of(run);
    const auto search = verdict_search(run, {});
    REQUIRE(search != nullptr);
    while (search->go_on()) {
    }
    const auto verdict = search->take();
    REQUIRE(verdict);
    Sure sure = sure_of(run, surety, {}, *verdict);
    std::string text = verdict_text(*verdict, sure, run.root);
    return {std::move(sure), chess::to_uci(run.root, verdict->best), std::move(text)};
}

// A verdict is made in slices, of which each has its time.
void settle_in_slices(CoreFixture& fixture, analysis::AnalysisId id) {
    for (int answers = 0; !fixture.settled(id); ++answers) {
        REQUIRE(answers < 20'000);
        fixture.work_until([] { return false; }, 1);
        fixture.pass(0);
    }
}

// The last level once more, with other figures.
storage::SnapshotRecord level(const CoreFixture& fixture, analysis::AnalysisId id,
                              const json& other) {
    storage::SnapshotRecord record = fixture.run(id).snapshots.back();
    json data = json::parse(record.data);
    data.merge_patch(other);
    record.data = data.dump();
    return record;
}

// An answer of that kind which said 80 %, and was another one, or the same, after four times the
// work.
json answered(const Told& like, double nodes, bool stood) {
    return {{"said",
             {{"best", stood ? like.best : "a1a1"},
              {"nodes", nodes / 4},
              {"group", std::to_underlying(like.sure.kind.group)},
              {"size", like.sure.kind.size},
              {"cost", 4},
              {"chance", 0.8}}}};
}

} // namespace

TEST_CASE("calibrator: a level is recorded with its answer, and what was told of the one before") {
    CoreAlone fixture;
    const auto id = fixture.create(ruy_lopez, 4);
    settle_in_slices(fixture, id);
    const AnalysisRun& run = fixture.run(id);
    REQUIRE(run.snapshots.size() > 2);
    for (const NotedSnapshot& one : run.snapshots) {
        CHECK(one.engine == "Simulated 1.0");
        CHECK(chess::parse_uci(run.root, one.best));
        CHECK(one.nodes > 0);
        if (one.said) {
            CHECK(chess::parse_uci(run.root, one.said->best));
            CHECK(one.said->nodes > 0);
            CHECK(one.said->chance > 0);
            CHECK(one.said->chance <= 0.99);
        }
    }
    CHECK(run.snapshots.back().nodes > run.snapshots.front().nodes);
    CHECK_FALSE(run.snapshots.front().said);
    CHECK(run.snapshots.back().said);
    // It is in the store as it is here.
    const auto stored = fixture.store->snapshots(id);
    REQUIRE(stored.size() == run.snapshots.size());
    CHECK(NotedSnapshot{stored.back()}.said == run.snapshots.back().said);
}

TEST_CASE("calibrator: where moves are left out nothing is told that could be compared") {
    CoreAlone fixture;
    const auto id = fixture.create(ruy_lopez, 2);
    const auto a6 = chess::parse_line(fixture.run(id).root, "a6");
    fixture.direct(id, *a6, "exclude");
    settle_in_slices(fixture, id);
    REQUIRE_FALSE(fixture.run(id).snapshots.empty());
    for (const NotedSnapshot& one : fixture.run(id).snapshots) {
        CHECK(one.best.empty());
        CHECK_FALSE(one.said);
    }
}

TEST_CASE("calibrator: what became of answers like this is told, and corrects the chance") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    double built_in = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create(ruy_lopez, 2);
        fixture.settle(id);
        const Told nothing = told(fixture, id);
        built_in = nothing.sure.confidence.chance;
        CHECK_FALSE(nothing.sure.tested);
        CHECK(nothing.text.find("(no answer like this of your Simulated 1.0 has had four times the "
                                "work yet)") != std::string::npos);
        const double nodes = fixture.run(id).snapshots.back().nodes;
        for (int i = 0; i < 60; ++i) {
            fixture.store->append(level(fixture, id, answered(nothing, nodes, i < 15)), {});
        }
        // Nobody knows what became of these: too little work since, another engine.
        fixture.store->append(level(fixture, id, answered(nothing, 5 * nodes, true)), {});
        json other = answered(nothing, nodes, true);
        other["engine"] = "Another 2";
        fixture.store->append(level(fixture, id, other), {});
        fixture.flush();
    }
    CoreFixture fixture{directory.path(), bench}; // as after any restart
    fixture.settle(id);
    fixture.pass(0);
    const Told now = told(fixture, id);
    CHECK(now.sure.known == "of 60 answers like this of your Simulated 1.0, said 80 %, 25 % stood "
                            "[16, 37]");
    CHECK(now.text.find("(" + now.sure.known + ")") != std::string::npos);
    CHECK(now.sure.tested);
    CHECK(now.sure.confidence.chance < built_in);
}

TEST_CASE("calibrator: an answer that was another one at a quarter of the work is a hard one") {
    CoreAlone fixture;
    const auto id = fixture.create(ruy_lopez, 2);
    fixture.settle(id);
    AnalysisRun& run = *fixture.core->queue().find(id);
    const Told plain = told(fixture, id);
    const auto before = [&](double share, const std::string& answer) {
        const json other{{"nodes", run.plan.nodes_used * share}, {"best", answer}};
        run.snapshots.emplace_back(level(fixture, id, other));
        const Told now = told(fixture, id);
        run.snapshots.pop_back();
        return now;
    };
    const Told same = before(0.25, plain.best);
    const Told another = before(0.25, "a1a1");
    CHECK(same.sure.kind.group != analysis::AnswerGroup::hard);
    CHECK(another.sure.kind.group == analysis::AnswerGroup::hard);
    CHECK(another.sure.confidence.chance < same.sure.confidence.chance);
    CHECK(before(0.9, "a1a1").sure.kind == plain.sure.kind); // that is hardly less work
}
