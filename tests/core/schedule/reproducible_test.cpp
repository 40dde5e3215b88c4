// Reproducible engines: the tree is a function of the analysis and of the engine's answers,
// whatever ends the program.
#include "core_fixture.hpp"

namespace {

struct Wanted {
    std::string kind = "halving";
    std::uint64_t depth = 8;
    int refine = 2;
};

analysis::AnalysisId begin(CoreFixture& fixture, const Wanted& wanted) {
    NewAnalysis made = wanted_at(chess::Position::initial(), ruy_lopez, wanted.refine);
    made.limit = {analysis::Limit::Kind::depth, wanted.depth};
    made.spec.strategy = analysis::default_parameters(wanted.kind);
    made.spec.strategy.move_distance = 20;
    made.spec.strategy.refine = wanted.refine;
    return fixture.create(std::move(made));
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
            // Without clocks: those are of whoever came there first, and the store's order is
            // another.
            const std::string fen = graph.position(node).fen();
            lines.push_back(fen.substr(0, fen.find_last_of(' ', fen.rfind(' ') - 1)) + " " +
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

// `ends`: of the program, by turns as if killed.
std::vector<std::string> tree_after(const Wanted& wanted, int ends, std::uint64_t seed) {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 1;
    bench.sways = true;
    std::mt19937_64 random{seed};
    std::optional<analysis::AnalysisId> id;
    for (int life = 0; life < ends; ++life) {
        CoreFixture fixture{directory.path(), bench, true};
        id = id ? id : begin(fixture, wanted);
        fixture.work_until([] { return false; }, 5 + random() % 30);
        if (life % 2 == 0) {
            fixture.kill();
        }
    }
    CoreFixture fixture{directory.path(), bench, true};
    id = id ? id : begin(fixture, wanted);
    fixture.settle(*id);
    CHECK(fixture.run(*id).slot->graph().verify().empty());
    CHECK(fixture.store->check().empty());
    std::set<std::string> answered;
    for (const engine_bridge::Job& job : bench.answered) {
        std::string question = job.position.fen() + " " + std::to_string(job.limit.amount);
        for (const chess::Move move : job.searchmoves) {
            question += " " + std::to_string(move.raw());
        }
        INFO("asked again after its answer: " << question);
        CHECK(answered.insert(question).second);
    }
    return tree_of(fixture.run(*id));
}

// With other ends each time.
void is_one_tree(std::uint64_t times) {
    for (const std::string kind : {"halving", "anchored"}) {
        const Wanted wanted{kind};
        const auto expected = tree_after(wanted, 0, 0);
        CHECK(expected.size() > 40);
        for (std::uint64_t seed = 1; seed <= times; ++seed) {
            INFO("strategy " << kind << ", seed " << seed);
            CHECK(tree_after(wanted, 4, seed) == expected);
        }
    }
}

} // namespace

TEST_CASE("reproducible: one question is out at a time") {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = 1;
    CoreFixture fixture{directory.path(), bench, true};
    const auto id = begin(fixture, {});
    std::size_t answers = 0;
    fixture.work_until([&] {
        CHECK(fixture.run(id).out.in_flight <= 1);
        ++answers;
        return fixture.settled(id);
    });
    CHECK(fixture.settled(id));
    CHECK(answers > 20);
}

TEST_CASE("reproducible: one tree after any ends") {
    is_one_tree(1);
}

TEST_CASE("reproducible: one tree after ten times any ends", "[.][deep]") {
    is_one_tree(10);
}
