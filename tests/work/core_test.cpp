// The scheduler: what is asked, when a depth is settled, what is shared, what survives.
#include "core_fixture.hpp"
#include "signature.hpp"
#include "views/view.hpp"

#include <algorithm>

using namespace adjourn;
using namespace adjourn::server;

namespace {

constexpr const char* ruy_lopez = "1. e4 e5 2. Nf3 Nc6 3. Bb5";

} // namespace

TEST_CASE("core: an analysis is worked to its refined depth and settles") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return fixture.settled(id); });
    REQUIRE(fixture.settled(id));
    const AnalysisRun& run = fixture.run(id);
    CHECK(run.settled == 3);
    CHECK(run.in_flight == 0);
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

TEST_CASE("core: reproducible mode gives one tree for 1, 2 and 8 engines and shuffled answers") {
    std::vector<std::string> expected;
    std::uint64_t digest = 0;
    std::size_t asked = 0;
    for (const std::size_t processes : {1, 2, 8}) {
        for (const bool shuffle : {false, true}) {
            TemporaryDirectory directory;
            Bench bench;
            bench.processes = processes;
            bench.shuffle = shuffle;
            bench.random.seed(processes * 31 + 5);
            CoreFixture fixture{directory.path(), bench, true};
            const auto id = fixture.create(ruy_lopez, 3, 25);
            fixture.work_until([&] { return fixture.settled(id); });
            REQUIRE(fixture.settled(id));
            const AnalysisRun& run = fixture.run(id);
            const auto facts = facts_of(*fixture.store, run.record.engine);
            if (expected.empty()) {
                expected = facts;
                digest = run.slot->graph().digest();
                asked = bench.asked.size();
                CHECK(facts.size() > 60);
            }
            INFO(processes << " engines, shuffled: " << shuffle);
            CHECK(facts == expected);
            CHECK(run.slot->graph().digest() == digest);
            CHECK(bench.asked.size() == asked);
        }
    }
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
    const auto parent = fixture.create("1. e4 e5 2. Nf3 Nc6", 3, 20);
    fixture.work_until([&] { return fixture.settled(parent); });
    const std::size_t first = bench.asked.size();
    // The best reply of the settled tree: its position is known already.
    const AnalysisRun& run = fixture.run(parent);
    const auto pv = analysis::alpha_pv(run.slot->graph(), std::vector{run.root_node}, 1);
    REQUIRE(pv.size() == 1);
    const auto child =
        fixture.create("1. e4 e5 2. Nf3 Nc6 " + chess::to_san(run.root, pv[0]), 2, 20);
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
        CHECK(fixture.run(id).settled == 1);
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
        CHECK(fixture.run(id).settled == 0);
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
    REQUIRE(again.core->change(id, resume));
    again.work_until([&] { return again.settled(id); });
    CHECK(again.settled(id));
}

TEST_CASE("core: pause lets go, resume goes on") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 3);
    fixture.work_until([&] { return bench.asked.size() > 20; });
    AnalysisPatch pause;
    pause.hold = true;
    REQUIRE(fixture.core->change(id, pause));
    fixture.work_until([] { return false; });
    CHECK(bench.queue.empty());
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::paused);
    CHECK(fixture.run(id).in_flight == 0);
    fixture.pass(1000);
    CHECK(bench.asked.size() == asked);
    AnalysisPatch resume;
    resume.hold = false;
    REQUIRE(fixture.core->change(id, resume));
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.settled(id));
}

TEST_CASE("core: higher priority goes first, and equals share equally") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto low = fixture.create("1. a3", 0, 30);
    const auto one = fixture.create("1. e4", 0, 30, 5);
    const auto two = fixture.create("1. d4", 0, 30, 5);
    const std::size_t before = static_cast<std::size_t>(fixture.run(low).served);
    fixture.work_until([&] { return fixture.run(one).served + fixture.run(two).served > 200; });
    CHECK(fixture.run(low).served < before + 30); // only when the others had nothing to ask
    const auto served_one = static_cast<double>(fixture.run(one).served);
    const auto served_two = static_cast<double>(fixture.run(two).served);
    CHECK(served_one == Approx(served_two).margin(5));
}

TEST_CASE("core: who is put ahead of an older analysis gets more, also after a pause") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    std::vector<analysis::AnalysisId> ids;
    for (const char* moves : {"1. e4", "1. d4", "1. c4"}) {
        ids.push_back(fixture.create(moves, 0, 30));
    }
    const auto work = [&](std::size_t questions) {
        std::vector<double> before;
        for (const auto id : ids) {
            before.push_back(static_cast<double>(fixture.run(id).served));
        }
        const std::size_t asked = bench.asked.size();
        fixture.work_until([&] { return bench.asked.size() >= asked + questions; });
        for (std::size_t i = 0; i < ids.size(); ++i) {
            before[i] = static_cast<double>(fixture.run(ids[i]).served) - before[i];
        }
        return before;
    };
    work(30);
    auto served = work(220);
    for (const double each : served) {
        CHECK(each == Approx(220.0 / 3).margin(6));
    }

    AnalysisPatch to_the_top;
    to_the_top.rank = -1000;
    REQUIRE(fixture.core->change(ids[2], to_the_top));
    CHECK(fixture.core->runs().front()->record.id == ids[2]);
    served = work(220);
    CHECK(served[2] == Approx(110).margin(6));
    CHECK(served[0] == Approx(55).margin(6));
    CHECK(served[1] == Approx(55).margin(6));

    AnalysisPatch hold;
    hold.hold = true;
    REQUIRE(fixture.core->change(ids[1], hold));
    served = work(300);
    CHECK(served[1] == 0);
    hold.hold = false;
    REQUIRE(fixture.core->change(ids[1], hold));
    served = work(220); // what it missed is not made up for
    CHECK(served[1] == Approx(55).margin(6));

    AnalysisPatch urgent;
    urgent.priority = 1;
    REQUIRE(fixture.core->change(ids[1], urgent));
    CHECK(fixture.core->runs().front()->record.id == ids[1]);
    const auto last = fixture.create("1. g3", 0, 30);
    CHECK(fixture.core->runs().back()->record.id == last);
}

TEST_CASE("core: budgets exhaust an analysis") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    AnalysisPatch patch;
    patch.budget = Budget{25, std::nullopt, std::nullopt};
    REQUIRE(fixture.core->change(id, patch));
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
    const std::size_t positions = fixture.core->expanded_positions(fixture.run(id));
    CHECK(positions >= 25);
    CHECK(positions <= 25 + 2 * bench.processes);
    patch.budget = Budget{std::nullopt, std::nullopt, fixture.clock + 5'000};
    REQUIRE(fixture.core->change(id, patch));
    fixture.work_until([&] { return bench.asked.size() > 200; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::running);
    fixture.pass(6'000);
    fixture.work_until([] { return false; });
    CHECK(fixture.run(id).record.state == storage::AnalysisState::exhausted);
}

TEST_CASE("core: positions are counted as they come, exactly") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("e2e4", 0, 60);
    const AnalysisRun& run = fixture.run(id);
    for (std::size_t exact = 0; exact < 600;) {
        REQUIRE(fixture.work_until([] { return false; }, 25) == 25);
        exact = run.slot->graph().count_below(run.root_node, 1'000'000);
        REQUIRE(fixture.core->expanded_positions(run) == exact);
    }
    // A root above it reaches what is there already, too.
    const auto above = fixture.create("", 1, 0);
    const AnalysisRun& other = fixture.run(above);
    fixture.work_until([&] { return fixture.settled(above); });
    CHECK(fixture.core->expanded_positions(other) ==
          other.slot->graph().count_below(other.root_node, 1'000'000));
}

TEST_CASE("core: a time window closes and opens the tap") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create(ruy_lopez, 0, 30);
    const int minute = local_minute_of_day(fixture.clock);
    AnalysisPatch patch;
    patch.window = std::optional{TimeWindow{(minute + 60) % 1440, (minute + 120) % 1440}};
    REQUIRE(fixture.core->change(id, patch));
    fixture.work_until([] { return false; });
    const std::size_t asked = bench.asked.size();
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason.find("waits for") == 0);
    fixture.pass(61 * 60'000);
    fixture.work_until([&] { return bench.asked.size() > asked + 10; });
    CHECK(bench.asked.size() > asked + 10);
}

TEST_CASE("core: now overtakes everything queued") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto busy = fixture.create("1. e4", 0, 30, 9);
    const auto idle = fixture.create("1. d4", 0, 30, 0);
    fixture.work_until([&] { return bench.asked.size() > 50; });
    const AnalysisRun& run = fixture.run(idle);
    const auto line = *chess::parse_line(run.root, "1... a5 2. h4");
    bench.asked.clear();
    REQUIRE(fixture.core->direct(idle, line, "now", ""));
    fixture.work_until([&] { return !bench.asked.empty(); });
    REQUIRE_FALSE(bench.asked.empty());
    CHECK(bench.asked.front().urgent);
    CHECK(bench.asked.front().position == stand(run, line).position);
    (void)busy;
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
        CHECK(fixture.core->engines()[0]->problem == *bench.missing);
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
    REQUIRE(fixture.core->remove(id));
    CHECK(fixture.core->find(id) == nullptr);
    fixture.work_until([] { return false; });
    CHECK(fixture.store->evaluation_count() >= count);
    CHECK_FALSE(fixture.core->remove(id));
}

TEST_CASE("core: the Ng8 example") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto root = fixture.create("", 1);
    const auto other = fixture.create("1. Nf3 Nf6 2. Ng1", 1);
    const auto line = *chess::parse_line(chess::Position::initial(), "1. Nf3 Nf6 2. Ng1 Ng8");
    REQUIRE(fixture.core->direct(root, line, "include", ""));
    fixture.work_until([&] { return fixture.settled(root) && fixture.settled(other); });
    const std::vector<chess::Move> three{line.begin(), line.end() - 1};
    const auto at_root = node_json(*fixture.core, fixture.run(root), three);
    const auto elsewhere = node_json(*fixture.core, fixture.run(other), {});
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
