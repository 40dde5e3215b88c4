// The scheduler: what is asked, when a depth is settled, what is shared, what survives.
#include "api/views/view.hpp"
#include "core_fixture.hpp"
#include "signature.hpp"

TEST_CASE("core: an analysis is worked to its refined depth and settles") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return fixture.settled(id); });
    REQUIRE(fixture.settled(id));
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.plan.settled == 3);
    CHECK(run.out.in_flight == 0);
    REQUIRE(run.snapshots.size() == 3);
    CHECK(run.snapshots[0].refine == 1);
    CHECK(run.snapshots[2].refine == 3);
    CHECK(run.usage.evaluations_new == bench.asked.size());
    CHECK(run.slot->graph().verify().empty());
    CHECK(fixture.store->check().empty());
}

TEST_CASE("core: run again, nothing is asked and the answer is the same") {
    TemporaryDirectory directory;
    Bench bench;
    std::uint64_t digest = 0;
    std::vector<std::string> snapshots;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create(ruy_lopez, 3);
        fixture.work_until([&] { return fixture.settled(id); });
        digest = fixture.run(id).slot->graph().digest();
        REQUIRE(!bench.asked.empty());
        bench.asked.clear();
    }
    CoreFixture fixture{directory.path(), bench};
    CHECK(fixture.run(id).snapshots.size() == 3);
    const auto second = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return fixture.settled(id) && fixture.settled(second); });
    CHECK(fixture.settled(id));
    CHECK(fixture.settled(second));
    CHECK(bench.asked.empty());
    CHECK(fixture.run(second).slot->graph().digest() == digest);
    CHECK(fixture.run(second).usage.evaluations_new == 0);
    CHECK(analysis_json(*fixture.core, fixture.run(second))["evaluations"]["reused"] > 0);
}

TEST_CASE("core: the scheduler's signature") {
    // One number for the whole of walk, window, order and values. A change of it is a change of
    // what people get, and is announced in the commit that makes it.
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, true};
    const auto id = fixture.create("1. d4 Nf6 2. c4", 3, 25);
    fixture.work_until([&] { return fixture.settled(id); });
    REQUIRE(fixture.settled(id));
    std::uint64_t signature = fixture.run(id).slot->graph().digest();
    for (const engine_bridge::Job& job : bench.asked) {
        signature = hash_engine::mix(signature, job.position.hash() ^ job.searchmoves.size());
    }
    CHECK(signature == scheduler_signature);
}

TEST_CASE("core: analyses over overlapping openings share evaluations, and it is counted") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto parent = fixture.create("1. e4 e5 2. Nf3 Nc6", 2, 20);
    fixture.work_until([&] { return fixture.settled(parent); });
    const std::size_t first = bench.asked.size();
    // The best reply of the settled tree: its position is known already.
    const AnalysisRun& run = fixture.run(parent);
    const auto pv = analysis::alpha_pv(run.slot->graph(), std::vector{run.root_node}, 1);
    REQUIRE(pv.size() == 1);
    const auto child =
        fixture.create("1. e4 e5 2. Nf3 Nc6 " + chess::to_san(run.root, pv[0]), 1, 20);
    fixture.work_until([&] { return fixture.settled(child); });
    REQUIRE(fixture.settled(child));
    const auto shown = analysis_json(*fixture.core, fixture.run(child));
    CHECK(shown["evaluations"]["reused"].get<std::size_t>() > 0);
    CHECK(shown["evaluations"]["new"].get<std::size_t>() == bench.asked.size() - first);
    std::set<std::pair<std::string, std::vector<std::uint16_t>>> questions;
    for (const engine_bridge::Job& job : bench.asked) {
        std::vector<std::uint16_t> only;
        for (const chess::Move move : job.searchmoves) {
            only.push_back(move.raw());
        }
        CHECK(questions.emplace(job.position.fen(), only).second);
    }
}

TEST_CASE("core: a position that kills engines is marked with the reason, and the rest goes on") {
    TemporaryDirectory directory;
    Bench bench;
    chess::Position poisoned = chess::Position::initial();
    {
        TemporaryDirectory scratch;
        Bench other;
        CoreFixture fixture{scratch.path(), other};
        const auto id = fixture.create("1. e4", 2);
        fixture.work_until([&] { return fixture.settled(id); });
        const AnalysisRun& run = fixture.run(id);
        poisoned = run.slot->graph().position(run.slot->graph().moves(run.root_node)[0].target);
    }
    bench.poison.insert(poisoned.engine_fen());
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        fixture.work_until([] { return false; });
        CHECK(fixture.run(id).record.state == storage::AnalysisState::failed);
        CHECK(fixture.run(id).plan.settled == 1);
        const auto engine = fixture.run(id).record.engine;
        REQUIRE(fixture.store->failures(engine).size() == 1);
        CHECK(fixture.store->failures(engine)[0].reason == "died of signal 11");
        const AnalysisRun& run = fixture.run(id);
        const auto node = run.slot->graph().find(poisoned.packed());
        REQUIRE(node);
        CHECK(run.slot->failure_at(*node) == "died of signal 11");
        bench.asked.clear();
    }
    CoreFixture again{directory.path(), bench};
    again.settle_down();
    CHECK(again.run(id).record.state == storage::AnalysisState::failed);
    CHECK(bench.asked.empty()); // the poisoned one must wait
}

TEST_CASE("core: without an answer about its root an analysis fails, and can be tried again") {
    TemporaryDirectory directory;
    Bench bench;
    const chess::Position start = chess::Position::initial();
    const chess::Position root = start.after(*chess::parse_uci(start, "e2e4"));
    bench.poison.insert(root.engine_fen());
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        fixture.work_until([] { return false; });
        const storage::AnalysisRecord& record = fixture.run(id).record;
        CHECK(record.state == storage::AnalysisState::failed);
        CHECK(record.state_reason ==
              "no engine has an answer to its first position: died of signal 11");
        CHECK(fixture.run(id).plan.settled == 0);
        CHECK(fixture.run(id).snapshots.empty());
        bench.asked.clear();
    }
    CoreFixture again{directory.path(), bench};
    again.settle_down();
    CHECK(again.run(id).record.state == storage::AnalysisState::failed);
    CHECK(bench.asked.empty());
    bench.poison.clear();
    AnalysisPatch resume;
    resume.hold = false;
    REQUIRE(again.core->change(id, resume).wait());
    again.work_until([&] { return again.settled(id); });
    CHECK(again.settled(id));
}

TEST_CASE("core: the missing engine is named, nothing is lost") {
    TemporaryDirectory directory;
    Bench bench;
    bench.missing = "cannot start /nowhere/engine: No such file or directory";
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create(ruy_lopez, 2);
        fixture.settle_down();
        CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
        CHECK(fixture.core->engines().all()[0]->problem == *bench.missing);
    }
    bench.missing.reset();
    CoreFixture fixture{directory.path(), bench};
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

TEST_CASE("core: another version of the engine grows its own tree, the old facts stay") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    std::uint64_t count = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create(ruy_lopez, 2);
        fixture.work_until([&] { return fixture.settled(id); });
        count = fixture.store->evaluation_count();
    }
    bench.name = "Simulated 2.0";
    bench.seed = 99;
    CoreFixture fixture{directory.path(), bench};
    fixture.work_until([&] { return fixture.settled(id); });
    REQUIRE(fixture.settled(id));
    CHECK(fixture.store->evaluation_count() > count);
    CHECK(fixture.store->engines().size() == 2);
    CHECK(fixture.run(id).slot->engine().name == "Simulated 2.0");
}

TEST_CASE("core: deleting an analysis keeps its evaluations") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 2);
    fixture.work_until([&] { return bench.asked.size() > 10; });
    const std::uint64_t count = fixture.store->evaluation_count();
    REQUIRE(fixture.core->remove(id).wait());
    CHECK(fixture.core->queue().find(id) == nullptr);
    fixture.work_until([] { return false; });
    CHECK(fixture.store->evaluation_count() >= count);
    CHECK_FALSE(fixture.core->remove(id).wait());
}

TEST_CASE("core: the Ng8 example") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto root = fixture.create("", 1);
    const auto other = fixture.create("1. Nf3 Nf6 2. Ng1", 1);
    const auto line = *chess::parse_line(chess::Position::initial(), "1. Nf3 Nf6 2. Ng1 Ng8");
    REQUIRE(fixture.core->direct(root, line, "include", "").wait());
    fixture.work_until([&] { return fixture.settled(root) && fixture.settled(other); });
    const std::vector<chess::Move> three{line.begin(), line.end() - 1};
    const auto at_root = node_draft(*fixture.core, fixture.run(root), three).finish(*fixture.store);
    const auto elsewhere = node_draft(*fixture.core, fixture.run(other), {}).finish(*fixture.store);
    const auto ng8 = [](const nlohmann::json& node) {
        for (const auto& move : node["moves"]) {
            if (move["san"] == "Ng8") {
                return move;
            }
        }
        return nlohmann::json{};
    };
    REQUIRE(ng8(at_root).is_object());
    CHECK(ng8(at_root)["alpha"]["cp"] == 0);
    CHECK(ng8(at_root)["status"] == "repetition");
    CHECK(ng8(at_root)["idea"] == ng8(at_root)["engine"]["score"]);
    REQUIRE(ng8(elsewhere).is_object());
    CHECK(ng8(elsewhere)["status"] != "repetition");
}
