// Moves that people and games bring in, as the halving walk treats them.
#include "world.hpp"

using analysis::NodeId;
using analysis::QuestionKind;
using analysis::testing::World;

namespace {

std::vector<chess::Move> unknown_moves(const World& world, NodeId node) {
    std::vector<chess::Move> result;
    for (const chess::Move move : world.graph.position(node).legal_moves()) {
        if (!world.knows(node, move)) {
            result.push_back(move);
        }
    }
    return result;
}

void seed_line(World& world, const std::vector<chess::Move>& line) {
    chess::Position position = world.root;
    for (const chess::Move move : line) {
        auto& moves = world.seeds[world.graph.intern(position)];
        if (std::find(moves.begin(), moves.end(), move) == moves.end()) {
            moves.push_back(move);
        }
        position.play(move);
    }
}

} // namespace

TEST_CASE("seeds: scored alone once the engine has named its own, followed inside the window") {
    World plain;
    plain.parameters.move_distance = 5;
    plain.grow(2);
    const NodeId root = plain.root_node();
    World seeded;
    seeded.parameters = plain.parameters;
    seeded.seeds[seeded.root_node()] = unknown_moves(plain, root);
    REQUIRE(seeded.seeds[root].size() > 5);
    seeded.grow(1);
    bool seeds_begun = false;
    for (const analysis::PlannedQuestion& question : seeded.asked) {
        seeds_begun |= question.kind == QuestionKind::seed;
        CHECK(seeds_begun ==
              (question.kind == QuestionKind::seed)); // none of the engine's after a seed
        if (question.kind == QuestionKind::seed) {
            CHECK(question.excluded.size() + 1 == seeded.root.legal_moves().size());
        }
    }
    CHECK(unknown_moves(seeded, seeded.root_node()).empty());
    seeded.grow(2);
    // Moves inside the present window are expanded; seeds that never were inside are leaves.
    const int floor =
        seeded.graph.game_value(seeded.root_node())->rank() - seeded.parameters.move_distance;
    const auto moves = seeded.graph.moves(seeded.root_node());
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool expanded = seeded.graph.expanded(moves[i].target);
        if (seeded.graph.game_value_of(seeded.root_node(), i).rank() >= floor) {
            CHECK(expanded);
        }
        leaves += !expanded && !plain.knows(root, moves[i].move) ? 1 : 0;
    }
    CHECK(leaves > 0);
}

TEST_CASE("seeds: thousands of lines cost nothing where the walk does not go") {
    World plain;
    plain.parameters.move_distance = 0;
    plain.grow(2);
    World seeded;
    seeded.parameters = plain.parameters;
    std::size_t lines = 0;
    // Every line of four plies that begins with moves outside the plain tree's window.
    for (const chess::Move first : unknown_moves(plain, plain.root_node())) {
        const chess::Position one = plain.root.after(first);
        for (const chess::Move second : one.legal_moves()) {
            const chess::Position two = one.after(second);
            for (const chess::Move third : two.legal_moves()) {
                const chess::Position three = two.after(third);
                seed_line(seeded, {first, second, third, *three.legal_moves().begin()});
                ++lines;
            }
        }
    }
    REQUIRE(lines > 5'000);
    seeded.grow(2);
    for (const analysis::PlannedQuestion& question : seeded.asked) {
        if (question.kind == QuestionKind::seed) {
            CHECK(question.line.empty()); // only those of the root; none of their continuations
        }
    }
    CHECK(seeded.asked.size() <= plain.asked.size() + plain.root.legal_moves().size());
}

TEST_CASE("seeds: a move that a person excluded stays out") {
    World world;
    const chess::Move move = world.line("1. h4").front();
    world.seeds[world.root_node()] = {move};
    world.directives[world.root_node()].excluded = {move};
    world.grow(2);
    CHECK_FALSE(world.knows(world.root_node(), move));
}
