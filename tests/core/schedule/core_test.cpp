// The scheduler: what is asked, when a depth is settled, what is shared, what survives.
#include "api/views/view.hpp"
#include "core_fixture.hpp"
#include "signature.hpp"

TEST_CASE("core: an analysis is worked to its refined depth and settles") {
    CoreAlone fixture;
    Bench& bench = fixture.bench;
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.settle(id);
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
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create(ruy_lopez, 3);
        fixture.settle(id);
        digest = fixture.run(id).slot->graph().digest();
        REQUIRE(!bench.asked.empty());
        bench.asked.clear();
    }
    CoreFixture fixture{directory.path(), bench};
    CHECK(fixture.run(id).snapshots.size() == 3);
    const auto second = fixture.create(ruy_lopez, 3);
    fixture.settle(id);
    fixture.settle(second);
    CHECK(bench.asked.empty());
    CHECK(fixture.run(second).slot->graph().digest() == digest);
    CHECK(fixture.run(second).usage.evaluations_new == 0);
    CHECK(fixture.run(second).snapshots.size() == 3);
    CHECK(analysis_json(*fixture.core, fixture.run(second))["evaluations"]["reused"] > 0);
}

TEST_CASE("core: the scheduler's signature") {
    // One number for the whole of walk, window, order and values. A change of it is a change of
    // what people get, and is announced in the commit that makes it.
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, true};
    const auto id = fixture.create("1. d4 Nf6 2. c4", 3, 25);
    fixture.settle(id);
    std::uint64_t signature = fixture.run(id).slot->graph().digest();
    for (const engine_bridge::Job& job : bench.asked) {
        signature = hash_engine::mix(signature, job.position.hash() ^ job.searchmoves.size());
    }
    CHECK(signature == scheduler_signature);
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
    again.hold(id, false);
    again.settle(id);
}

TEST_CASE("core: the Ng8 example") {
    CoreAlone fixture;
    const auto root = fixture.create("", 1);
    const auto other = fixture.create("1. Nf3 Nf6 2. Ng1", 1);
    const auto line = *chess::parse_line(chess::Position::initial(), "1. Nf3 Nf6 2. Ng1 Ng8");
    fixture.direct(root, line, "include");
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

TEST_CASE("core: its observer is told once of all that changed, and of a removal at once") {
    CoreAlone fixture;
    TestObserver& told = *fixture.told;
    const auto id = fixture.create("1. e4", 2);
    const auto idle = fixture.create("1. d4", 1, 20, -1);
    CHECK(told.analyses.empty()); // nobody has looked
    fixture.pass(200);
    CHECK(told.analyses == std::vector{id, idle});
    CHECK(told.engines == std::vector<std::string>{"simulated"});

    told.forget();
    fixture.settle(id);
    CHECK(told.nodes.empty());
    fixture.pass(200);
    CHECK(std::ranges::count(told.analyses, id) == 1);
    const auto of_run = std::ranges::find_if(told.nodes, [&](auto& of) { return of.first == id; });
    REQUIRE(of_run != told.nodes.end());
    const std::vector<analysis::NodeId>& nodes = of_run->second;
    CHECK(nodes.size() > 1);
    CHECK(std::ranges::is_sorted(nodes));
    CHECK(std::ranges::adjacent_find(nodes) == nodes.end());
    CHECK(std::ranges::binary_search(nodes, fixture.run(id).root_node));

    told.forget();
    fixture.settle(idle);
    fixture.pass(200);
    told.forget();
    fixture.pass(200);
    CHECK(told.analyses.empty());
    CHECK(told.nodes.empty());
    CHECK(told.engines.empty());
    REQUIRE(fixture.core->remove(id).wait());
    CHECK(told.removed == std::vector{id});
}

TEST_CASE("core: facts come one after the other, whatever the clock does") {
    const TemporaryDirectory directory;
    Bench bench;
    const auto moments_of = [](const CoreFixture& f) {
        std::vector<analysis::UnixMs> moments;
        const auto engine = f.core->engines().all().front()->id;
        for (const auto& fact : f.store->evaluations_after(engine, {}, 1'000)) {
            moments.push_back(fact.at);
        }
        return moments;
    };
    std::size_t before = 0;
    {
        CoreFixture f{directory.path(), bench};
        f.pass(3'600'000);
        f.create("1. e4", 2);
        f.work_until([] { return false; }, 10);
        f.clock -= 1'800'000; // set back
        f.work_until([] { return false; }, 10);
        f.flush();
        before = moments_of(f).size();
        CHECK(before >= 20);
    }
    CoreFixture f{directory.path(), bench}; // an hour before the first facts
    f.work_until([] { return false; }, 10);
    f.flush();
    const auto moments = moments_of(f);
    CHECK(moments.size() > before);
    CHECK(std::ranges::is_sorted(moments));
    CHECK(moments.back() == moments.front());
}
