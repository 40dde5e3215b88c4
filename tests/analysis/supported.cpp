// Supported values: a line that fell does not take its parents out of the window while nobody has
// asked for its alternatives.
#include "scripted.hpp"

#include "analysis/strategy.hpp"
#include "model.hpp"

using analysis::NodeId;
using analysis::testing::Scripted;
using analysis::testing::World;

namespace {

struct HollowCount {
    std::size_t moves = 0;  // expanded moves at roots
    std::size_t hollow = 0; // of these, worth more than 10 cp more after one question
};

analysis::Graph replayed_with(World& world, const analysis::Evaluation& more) {
    analysis::Graph graph;
    graph.begin_bulk();
    graph.add_root(graph.intern(world.root));
    for (const analysis::Evaluation& fact : world.answered) {
        graph.apply(fact);
    }
    graph.apply(more);
    graph.end_bulk();
    return graph;
}

// Where the best line from a root move has a position of the root's side whose engine said that
// something else may be better than all that is known there now, the missing question is asked.
bool is_hollow(World& world, std::size_t index) {
    const analysis::Graph& graph = world.graph;
    const NodeId root = world.root_node();
    const int value = graph.game_value_of(root, index).rank();
    NodeId at = graph.moves(root)[index].target;
    std::set<NodeId> seen{root};
    for (bool own = false; graph.expanded(at) && !graph.exact(at) && seen.insert(at).second;
         own = !own) {
        const auto moves = graph.moves(at);
        std::size_t best = 0;
        std::vector<chess::Move> known;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            known.push_back(moves[i].move);
            best = graph.game_value_of(at, i) > graph.game_value_of(at, best) ? i : best;
        }
        std::sort(known.begin(), known.end());
        const auto rest = graph.rest_bound(at, analysis::effort(world.limit));
        if (own && rest && rest->rank() > graph.game_value_of(at, best).rank() &&
            known.size() < graph.position(at).legal_moves().size()) {
            const analysis::Graph then = replayed_with(world, world.answer(at, known));
            const NodeId there = *then.find(world.root.packed());
            if (then.game_value_of(there, index).rank() > value + 10) {
                return true;
            }
        }
        at = moves[best].target;
    }
    return false;
}

void count_hollow(World& world, HollowCount& result) {
    const auto moves = world.graph.moves(world.root_node());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (world.graph.expanded(moves[i].target) && !world.graph.exact(moves[i].target)) {
            ++result.moves;
            result.hollow += is_hollow(world, i) ? 1 : 0;
        }
    }
}

} // namespace

TEST_CASE("supported: where the only known move of a cut position falls, another is asked for") {
    for (const int fallen : {500, 100}) {
        Scripted tree;
        tree.says("", {{"e4", 30}, {"d4", 25}, {"a3", -60}});
        tree.says("1. d4", {{"Nf6", -25}, {"a6", -200}});
        tree.says("1. d4 Nf6", {{"c4", 30}, {"Nf3", 26}, {"a3", -200}});
        tree.says("1. d4 Nf6 2. c4", {{"g6", fallen}, {"a6", -200}});
        for (int level = 1; level <= 6; ++level) {
            tree.settle(level);
        }
        INFO("fallen by " << fallen);
        CHECK(tree.was_asked("1. d4 Nf6", {"c4"}));
        CHECK(tree.value_of("", "d4") == 26);
    }
}

TEST_CASE("supported: nothing is asked where the alternatives could not matter") {
    Scripted tree;
    tree.says("", {{"e4", 30}, {"d4", 25}, {"a3", -60}});
    tree.says("1. d4", {{"Nf6", -25}, {"a6", -200}});
    tree.says("1. d4 Nf6", {{"c4", 30}, {"Nf3", -40}, {"a3", -200}});
    tree.says("1. d4 Nf6 2. c4", {{"g6", 500}, {"a6", -200}});
    for (int level = 1; level <= 6; ++level) {
        tree.settle(level);
    }
    // Nf3 was asked for, as it could have been worth 30; what is left could be worth -40.
    CHECK(tree.was_asked("1. d4 Nf6", {"c4"}));
    CHECK_FALSE(tree.was_asked("1. d4 Nf6", {"c4", "Nf3"}));
    CHECK(tree.value_of("", "d4") == -40);
}

TEST_CASE("supported: a level does not settle on root moves whose lines are hollow") {
    for (const std::string& kind : analysis::strategy_names()) {
        if (!analysis::testing::compares(kind)) {
            continue; // it goes by proof numbers, not by values
        }
        HollowCount all;
        std::size_t asked = 0;
        const std::uint64_t games = 4;
        for (std::uint64_t game = 0; game < games; ++game) {
            model::Random random{1'000 + game};
            World world;
            world.parameters = analysis::default_parameters(kind);
            world.parameters.move_distance = 10;
            analysis::testing::make_dearer(world.parameters, 2);
            world.noise = 25;
            world.noise_by_exclusion = false; // no answer is better than its bound
            world.oracle = hash_engine::Evaluation{game};
            for (int ply = 0; ply < 12; ++ply) {
                const auto moves = world.root.legal_moves();
                world.root.play(moves[model::below(random, moves.size())]);
            }
            const int last = analysis::strategy_of(kind).windowed() ? 4 : 2;
            for (int level = 1; level <= last; ++level) {
                world.grow(level);
                count_hollow(world, all);
            }
            asked += world.asked.size();
        }
        INFO(kind << ": " << all.hollow << " of " << all.moves << ", " << asked << " questions");
        CHECK(all.moves > 20);
        CHECK(static_cast<double>(all.hollow) <=
              (kind == "halving" ? 0 : 0.005) * static_cast<double>(all.moves));
    }
}
