// The halving walk against its definition: a made-up engine answers until nothing is missing, then
// an independent checker, which knows what that engine would say of every move, inspects the tree.
#include "world.hpp"

#include "analysis/estimate.hpp"
#include "analysis/growth/grow.hpp"

using analysis::Evaluation;
using analysis::NodeId;
using analysis::testing::World;

namespace {

int window_at(const analysis::StrategyParameters& parameters, int ply) {
    return analysis::Windows{parameters, 0.5, 1}.window({ply});
}

} // namespace

TEST_CASE("window: D, D, then half a ply, never below the floor") {
    analysis::StrategyParameters parameters;
    parameters.move_distance = 40;
    parameters.floor = 5;
    const std::vector<int> expected{40, 40, 20, 10, 5, 5, 5};
    for (int ply = 0; ply < 7; ++ply) {
        CHECK(window_at(parameters, ply) == expected[static_cast<std::size_t>(ply)]);
    }
    parameters.floor = 0;
    CHECK(window_at(parameters, 7) == 0);
    CHECK(window_at(parameters, 200) == 0);
    parameters.move_distance = 3;
    parameters.floor = 5;
    CHECK(window_at(parameters, 0) == 3);
    CHECK(window_at(parameters, 9) == 3);
}

TEST_CASE("window: a floor in sigma widens the windows as the noise is measured") {
    World narrow;
    narrow.noise = 12;
    narrow.grow(3);
    World wide;
    wide.noise = 12;
    wide.parameters.floor_sigma = 2;
    wide.grow(3);
    CHECK(wide.asked.size() > narrow.asked.size());
    const auto noise = analysis::measure_noise(wide.graph);
    REQUIRE(noise);
    // The plan is that of a floor in cp.
    World same;
    for (const Evaluation& fact : wide.answered) {
        same.graph.apply(fact);
    }
    same.parameters = wide.parameters;
    same.parameters.floor_sigma = 0;
    same.parameters.floor = static_cast<int>(std::ceil(2 * noise->sigma));
    CHECK(same.parameters.floor > wide.parameters.floor);
    const auto plan = wide.plan(5);
    CHECK_FALSE(plan.questions.empty());
    CHECK(same.plan(5).questions.size() == plan.questions.size());
    CHECK(same.plan(5).visited.size() == plan.visited.size());
}

TEST_CASE("halving: the first question is the root's, then alternatives exclude what is scored") {
    World world;
    auto plan = world.plan(1);
    REQUIRE(plan.questions.size() == 1);
    CHECK(plan.questions[0].kind == analysis::QuestionKind::first);
    CHECK(plan.questions[0].excluded.empty());
    CHECK(plan.questions[0].line.empty());
    const Evaluation first = world.answer(plan.questions[0].node, {});
    world.graph.apply(first);
    plan = world.plan(1);
    REQUIRE(plan.questions.size() == 1);
    CHECK(plan.questions[0].kind == analysis::QuestionKind::alternative);
    CHECK(plan.questions[0].excluded == std::vector<chess::Move>{*first.move});
}

TEST_CASE("halving: refine 1 scores exactly the root moves within D and one outside") {
    World world;
    world.grow(1);
    const auto moves = world.graph.moves(world.root_node());
    const int best = world.graph.game_value(world.root_node())->rank();
    std::size_t outside = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        outside += moves[i].engine_score.rank() < best - 20 ? 1 : 0;
        CHECK_FALSE(world.graph.expanded(moves[i].target));
    }
    CHECK(outside == 1);
    CHECK(moves.size() < world.root.legal_moves().size());
    for (const chess::Move move : world.root.legal_moves()) {
        CHECK((world.knows(world.root_node(), move) ||
               world.opinion(world.root, move).rank() < best - 20));
    }
}

TEST_CASE("halving: deeper plies are cut") {
    World world;
    world.parameters.move_distance = 30;
    for (int refine = 1; refine <= 4; ++refine) {
        world.grow(refine);
    }
    // A full-window walk of the same depth would still have questions: the cuts saved them.
    std::set<NodeId> seen;
    std::size_t unexpanded = 0;
    std::function<void(NodeId, int)> count = [&](NodeId node, int ply) {
        if (ply >= 4 || !seen.insert(node).second) {
            return;
        }
        if (!world.graph.expanded(node)) {
            ++unexpanded;
            return;
        }
        const int top = world.graph.game_value(node)->rank();
        const auto all = world.graph.moves(node);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (world.graph.game_value_of(node, i).rank() >=
                top - window_at(world.parameters, ply)) {
                count(all[i].target, ply + 1);
            }
        }
    };
    count(world.root_node(), 0);
    CHECK(unexpanded > 0);
}

TEST_CASE("halving: a terminal root and terminal targets need no engine") {
    World world;
    world.root = *chess::Position::from_fen("7k/5QQ1/8/8/8/8/8/K7 b - - 0 1");
    CHECK(world.plan(3).settled());
    World mate_next;
    mate_next.root = *chess::Position::from_fen("6k1/8/6K1/8/8/8/8/R7 w - - 0 1");
    mate_next.grow(6);
    for (const analysis::PlannedQuestion& question : mate_next.asked) {
        CHECK(mate_next.graph.position(question.node).terminal() == chess::Terminal::no);
    }
    CHECK(mate_next.graph.game_value(mate_next.root_node())->is_win());
}

TEST_CASE("halving: a line included beyond the horizon is scored beside the engine's own choice") {
    World world;
    world.grow(1);
    const auto line = world.line("1. h4 a5 2. Rh3 b6");
    chess::Position position = world.root;
    for (const chess::Move move : line) {
        world.directives[world.graph.intern(position)].included.push_back(move);
        position.play(move);
    }
    world.grow(1);
    position = world.root;
    for (const chess::Move move : line) {
        const NodeId node = world.graph.intern(position);
        INFO(position.fen());
        CHECK(world.knows(node, move));
        // The engine's free choice is known too, so the named move alone does not make the value.
        CHECK(world.graph.rest_bound(node, 0.0).has_value());
        position.play(move);
    }
}

TEST_CASE("halving: a larger limit is asked for again where it matters, and replaces the smaller") {
    World world;
    world.grow(2);
    const std::size_t before = world.asked.size();
    world.limit.amount = 12;
    CHECK_FALSE(world.plan(2).settled());
    world.grow(2);
    CHECK(world.asked.size() > before);
    const double wanted = analysis::effort(world.limit);
    const NodeId root = world.root_node();
    const int best = world.graph.game_value(root)->rank();
    const auto moves = world.graph.moves(root);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (world.graph.game_value_of(root, i).rank() >= best - 20) {
            CHECK(static_cast<double>(moves[i].effort) >= wanted - 1e-3);
        }
    }
}

TEST_CASE("halving: a question that cannot be answered does not hold up the rest") {
    World world;
    world.grow(1);
    const NodeId silent = world.graph.moves(world.root_node())[0].target;
    world.dead.insert({silent, {}});
    world.grow(2);
    CHECK(world.plan(2).settled());
    CHECK_FALSE(world.graph.expanded(silent));
}

TEST_CASE("halving: deepen moves the horizon for lines through a position") {
    World plain;
    plain.grow(2);
    World deep;
    deep.directives[deep.root_node()].deepen = 2;
    deep.grow(2);
    CHECK(deep.expanded() > plain.expanded());
    World four;
    four.grow(4);
    CHECK(deep.graph.digest() == four.graph.digest());
}
