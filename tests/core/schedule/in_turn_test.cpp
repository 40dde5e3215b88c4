// Reproducible engines: the tree is a function of the analysis and of the engine's answers,
// whatever ends the program, however many processes there are, and whatever else is analysed.
#include "core_fixture.hpp"

#include "analysis/strategy.hpp"

#include <nlohmann/json.hpp>

#include <set>

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct Wanted {
    std::string kind = "halving";
    std::uint64_t depth = 8;
    int refine = 2;
};

analysis::AnalysisId begin(CoreFixture& fixture, const Wanted& wanted) {
    const chess::Position start = chess::Position::initial();
    NewAnalysis made{"", start, *chess::parse_line(start, ruy_lopez), "", {}, {}, 0, false};
    made.spec.strategy = analysis::default_parameters("halving");
    made.limit = {analysis::Limit::Kind::depth, wanted.depth};
    made.spec.strategy = analysis::default_parameters(wanted.kind);
    made.spec.strategy.move_distance = 20;
    made.spec.strategy.refine = wanted.refine;
    const auto id = fixture.core->create(std::move(made)).wait();
    REQUIRE(id);
    return *id;
}

// What people see of a tree: below the root every position with its moves, their scores and values;
// and what was recorded of each level.
std::vector<std::string> tree_of(const AnalysisRun& run) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<std::string> lines;
    std::set<analysis::NodeId> seen{run.root_node};
    std::vector<analysis::NodeId> open{run.root_node};
    while (!open.empty()) {
        const analysis::NodeId node = open.back();
        open.pop_back();
        for (const analysis::GraphMove& move : graph.moves(node)) {
            const bool expanded = graph.expanded(move.target);
            lines.push_back(graph.position(node).fen() + " " +
                            chess::to_uci(graph.position(node), move.move) + " " +
                            chess::to_text(move.engine_score) + " " + std::to_string(move.effort) +
                            (expanded ? " " + chess::to_text(*graph.game_value(move.target)) : ""));
            if (expanded && seen.insert(move.target).second) {
                open.push_back(move.target);
            }
        }
    }
    std::ranges::sort(lines);
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        lines.push_back("level " + std::to_string(snapshot.refine) + ": " + snapshot.data);
    }
    return lines;
}

struct Course {
    std::size_t processes = 1;
    bool shuffle = false;
    std::uint64_t seed = 1;
    int ends = 0; // of the program, by turns as if killed
    std::vector<Wanted> beside = {};
};

std::vector<std::string> tree_after(const Wanted& wanted, const Course& course) {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = course.processes;
    bench.shuffle = course.shuffle;
    bench.random.seed(course.seed);
    bench.sways = true;
    std::mt19937_64 random{course.seed * 7 + 1};
    std::optional<analysis::AnalysisId> id;
    std::vector<analysis::AnalysisId> all;
    std::vector<std::string> tree;
    for (int life = 0; life <= course.ends; ++life) {
        CoreFixture fixture{directory.path(), bench, true};
        if (!id) {
            for (std::size_t i = 0; i <= course.beside.size(); ++i) {
                // One of those beside it is older, the others are younger.
                const bool own = i == std::min<std::size_t>(1, course.beside.size());
                all.push_back(begin(fixture, own      ? wanted
                                             : i == 0 ? course.beside[0]
                                                      : course.beside[i - 1]));
                id = own ? all.back() : id;
            }
        }
        if (life < course.ends) {
            fixture.work_until([] { return false; }, 5 + random() % 30);
            if (life % 2 == 0) {
                fixture.kill();
            }
            continue;
        }
        const auto settled = [&] {
            return std::ranges::all_of(all, [&](auto each) { return fixture.settled(each); });
        };
        fixture.work_until(settled);
        REQUIRE(fixture.settled(*id));
        tree = tree_of(fixture.run(*id));
        CHECK(fixture.run(*id).slot->graph().verify().empty());
        CHECK(fixture.store->check().empty());
    }
    std::set<std::string> answered;
    for (const engine_bridge::Job& job : bench.answered) {
        std::string question = job.position.fen() + " " + std::to_string(job.limit.amount);
        for (const chess::Move move : job.searchmoves) {
            question += " " + std::to_string(move.raw());
        }
        INFO("asked again after its answer: " << question);
        CHECK(answered.insert(question).second);
    }
    return tree;
}

} // namespace

TEST_CASE("in turn: until what is stored has taken effect, nobody sees half a tree") {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 4;
    bench.shuffle = true;
    analysis::AnalysisId id{};
    std::vector<std::string> tree;
    {
        CoreFixture fixture{directory.path(), bench, true};
        id = begin(fixture, {});
        fixture.work_until([&] { return fixture.settled(id); });
        tree = tree_of(fixture.run(id));
        bench.asked.clear();
    }
    CoreFixture fixture{directory.path(), bench, true, nullptr, true};
    CHECK(fixture.settled(id));
    CHECK(fixture.run(id).shown() == nullptr);
    bool read = false;
    fixture.core->when_read([&] { read = true; });
    fixture.settle_down();
    CHECK_FALSE(read);
    fixture.read();
    CHECK(read);
    CHECK(fixture.settled(id));
    CHECK(fixture.run(id).shown() != nullptr);
    CHECK(tree_of(fixture.run(id)) == tree);
    CHECK(bench.asked.empty());
    for (const auto state : {storage::AnalysisState::running, storage::AnalysisState::queued}) {
        CHECK(fixture.run(id).record.state != state);
    }
}

TEST_CASE("in turn: paused or used up, a tree is there after a restart as it was") {
    const bool paused = GENERATE(true, false);
    CAPTURE(paused);
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 3;
    bench.shuffle = true;
    analysis::AnalysisId id{};
    std::vector<std::string> tree;
    {
        CoreFixture fixture{directory.path(), bench, true};
        id = begin(fixture, {});
        fixture.work_until([] { return false; }, 25);
        AnalysisPatch patch;
        if (paused) {
            patch.hold = true;
        } else {
            patch.budget = Budget{};
            patch.budget->engine_seconds = 0.001;
        }
        REQUIRE(fixture.core->change(id, patch).wait());
        fixture.work_until([] { return false; });
        CHECK(fixture.run(id).out.in_flight == 0);
        tree = tree_of(fixture.run(id));
        CHECK(tree.size() > 10);
        bench.asked.clear();
    }
    CoreFixture fixture{directory.path(), bench, true};
    fixture.work_until([] { return false; });
    CHECK(bench.asked.empty());
    CHECK(fixture.run(id).record.state ==
          (paused ? storage::AnalysisState::paused : storage::AnalysisState::exhausted));
    CHECK(fixture.run(id).shown() != nullptr);
    CHECK(tree_of(fixture.run(id)) == tree);
}

TEST_CASE("in turn: what another analysis has out is waited for, or asked where that one goes") {
    TemporaryDirectory directory;
    Bench bench;
    bench.sways = true;
    CoreFixture fixture{directory.path(), bench, true};
    const auto first = begin(fixture, {});
    const auto second = begin(fixture, {});
    fixture.settle_down();
    CHECK(bench.asked.size() == bench.queue.size());
    CHECK(fixture.run(first).out.in_flight == fixture.run(second).out.in_flight);
    REQUIRE(fixture.core->remove(first).wait());
    for (const engine_bridge::Job& job : std::exchange(bench.queue, {})) { // as engines do
        bench.done(job.id, std::unexpected(engine_bridge::Failure{
                               engine_bridge::Failure::Kind::cancelled, "gone", 0}));
    }
    fixture.work_until([&] { return fixture.settled(second); });
    CHECK(fixture.settled(second));
    CHECK(tree_of(fixture.run(second)) == tree_after({}, {}));
}

TEST_CASE("in turn: an order of a person makes the tree that it makes from the beginning") {
    Bench bench;
    bench.sways = true;
    const auto line = *chess::parse_line(chess::Position::initial(), ruy_lopez);
    chess::Position root = chess::Position::initial();
    for (const chess::Move move : line) {
        root.play(move);
    }
    const std::vector<chess::Move> included{*chess::parse_uci(root, "h7h5")};
    std::vector<std::string> trees[2];
    for (const bool late : {false, true}) {
        TemporaryDirectory directory;
        CoreFixture fixture{directory.path(), bench, true};
        const auto id = begin(fixture, {});
        fixture.work_until([] { return false; }, late ? 30 : 0);
        REQUIRE(fixture.core->direct(id, included, "include", "").wait());
        fixture.work_until([&] { return fixture.settled(id); });
        REQUIRE(fixture.settled(id));
        trees[late ? 1 : 0] = tree_of(fixture.run(id));
        std::erase_if(trees[late ? 1 : 0], [](const auto& text) { return text.starts_with("l"); });
    }
    CHECK(trees[0] == trees[1]);
}

TEST_CASE("in turn: one tree after any ends, with 1, 2 and 8 processes, beside others") {
    int runs = 0;
    for (const std::string kind : {"halving", "anchored"}) {
        const Wanted wanted{kind};
        const auto expected = tree_after(wanted, {});
        CHECK(expected.size() > 40);
        for (const std::size_t processes : {1, 2, 8}) {
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                Course course{processes, true, seed * 100 + processes, 3, {}};
                if (seed % 2 == 0) { // of a lower limit
                    course.beside.push_back({"halving", 4, 2});
                }
                if (seed >= 3) { // of a higher one
                    course.beside.push_back({kind, 11, 1});
                }
                if (seed == 5) { // of the same
                    course.beside.push_back({"uniform", 8, 1});
                }
                INFO("strategy " << kind << ", " << processes << " processes, seed "
                                 << course.seed);
                CHECK(tree_after(wanted, course) == expected);
                ++runs;
            }
        }
    }
    CHECK(runs == 30);
}
