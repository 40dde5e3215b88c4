// Strategy `conspiracy`: what it asks is what the answer rests on.
#include "world.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "analysis/verdict.hpp"

using analysis::NodeId;
using analysis::testing::World;

namespace {

World conspiring_world(const std::string& kind) {
    World world;
    world.parameters = analysis::default_parameters(kind);
    world.parameters.move_distance = 40;
    world.noise = 20;
    return world;
}

std::optional<analysis::Verdict> verdict_of(World& world) {
    const auto answer = analysis::anchored_answer(world.graph, world.root_node(), {}, world.limit);
    const std::array line{world.root_node()};
    return answer ? analysis::verdict(world.graph, line, answer->move, 0,
                                      analysis::leaf_noise(std::nullopt, world.limit))
                  : std::nullopt;
}

} // namespace

TEST_CASE("conspiracy: a settled level rests on nothing that is likelier than the level allows") {
    World world = conspiring_world("conspiracy");
    for (int level = 1; level <= 3; ++level) {
        world.grow(level);
        const auto verdict = verdict_of(world);
        REQUIRE(verdict);
        CAPTURE(level, verdict->cost);
        const bool can_be_asked = std::ranges::any_of(verdict->carriers, [&](const auto& carrier) {
            return carrier.node != world.root_node() &&
                   analysis::question_about(world.graph, carrier, world.limit).has_value();
        });
        CHECK((verdict->cost >= 1.5 * level || !can_be_asked));
    }
}

TEST_CASE("conspiracy: asks less far from the answer than a tree that asks everywhere") {
    const auto positions = [](const std::string& kind) {
        World world = conspiring_world(kind);
        world.grow(2);
        return world.expanded();
    };
    CHECK(positions("conspiracy") < positions("uniform"));
}

TEST_CASE(
    "conspiracy: what is asked about a carrier is its position, the next move, or a larger one") {
    World world = conspiring_world("conspiracy");
    const NodeId root = world.root_node();
    world.graph.apply(world.answer(root, {}));
    analysis::Carrier carrier;
    carrier.node = root;
    const chess::Move move = world.graph.moves(root)[0].move;
    carrier.move = move;
    const auto first = analysis::question_about(world.graph, carrier, world.limit);
    REQUIRE(first);
    CHECK(first->node == world.graph.moves(root)[0].target);
    CHECK(first->limit == world.limit);
    CHECK(first->line == std::vector{move});
    CHECK(first->excluded.empty());
    carrier.move.reset();
    const auto next = analysis::question_about(world.graph, carrier, world.limit);
    REQUIRE(next);
    CHECK(next->node == root);
    CHECK(next->excluded == std::vector{move});
    // One whose word outweighs what is below it is searched below with as much.
    const auto large = world.answer(root, {analysis::Limit::Kind::depth, 20}, {});
    world.graph.apply(large);
    carrier.move = large.move;
    world.graph.apply(world.answer(world.graph.intern(world.root.after(*large.move)), {}));
    const auto larger = analysis::question_about(world.graph, carrier, world.limit);
    REQUIRE(larger);
    CHECK(larger->limit.amount >= 20);
}
