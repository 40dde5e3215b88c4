#include "facts.hpp"

#include "analysis/estimate.hpp"
#include "test.hpp"

using analysis::Estimate;
using analysis::Estimates;
using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

Evaluation of_nodes(Evaluation fact, std::uint64_t nodes) {
    fact.question.limit = {analysis::Limit::Kind::nodes, nodes};
    return fact;
}

} // namespace

TEST_CASE("estimate: the word and what is below, weighted by effort, all the way down") {
    const Position root = Position::initial();
    const Position after_e4 = facts::after("1. e4");
    const Position after_e5 = facts::after("1. e4 e5");
    Graph graph;
    const NodeId node = graph.intern(root);
    graph.add_root(node);
    const analysis::ErrorModel model{10, 0.5, 2};
    CHECK_FALSE(analysis::estimates(graph, node, model).position);
    graph.apply(of_nodes(fact(1, root, facts::move(root, "e4"), Score::cp(40)), 100));
    graph.apply(of_nodes(fact(2, root, facts::move(root, "d4"), Score::cp(10)), 100));
    Estimates seen = analysis::estimates(graph, node, model);
    REQUIRE(seen.position);
    CHECK(seen.position->cp == Approx(40));
    CHECK(seen.position->searches == 2);
    CHECK(seen.moves[0]->searches == 1);
    CHECK(seen.moves[1]->cp == Approx(10));
    CHECK(seen.moves[0]->high - seen.moves[0]->cp == Approx(20)); // one search: 2 σ
    CHECK(seen.moves[0]->cp - seen.moves[0]->low == Approx(20));

    graph.apply(of_nodes(fact(3, after_e4, facts::move(after_e4, "e5"), Score::cp(0)), 100));
    seen = analysis::estimates(graph, node, model);
    CHECK(seen.moves[0]->cp == Approx(20)); // half 40, half 0
    CHECK(seen.moves[0]->searches == 2);
    CHECK(seen.moves[0]->high - 20 == Approx(20 * std::sqrt(0.75))); // two equal weights
    // A better reply with twice the effort: (100 · 40 - 300 · 8) / 400; its own 300 are 100 of e5.
    graph.apply(of_nodes(fact(4, after_e4, facts::move(after_e4, "c5"), Score::cp(8)), 200));
    seen = analysis::estimates(graph, node, model);
    CHECK(seen.moves[0]->cp == Approx(4));
    CHECK(seen.moves[0]->searches == 3);
    // Recursively: e5 is worth (100 · 0 - 100 · -20) / 200 = 10 to Black now.
    graph.apply(of_nodes(fact(5, after_e5, facts::move(after_e5, "Nf3"), Score::cp(-20)), 100));
    seen = analysis::estimates(graph, node, model);
    CHECK(seen.moves[0]->cp == Approx((100 * 40 - 400 * 10) / 500.0).margin(1e-9));
    CHECK(seen.moves[0]->searches == 4);
    CHECK(seen.position->searches == 2); // the best move is 1. d4 now
    CHECK(seen.position->cp == Approx(10));
    // Positions beyond the limit count by the word on the move that leads there.
    CHECK(analysis::estimates(graph, node, model, 1).moves[0]->cp == Approx(40));
    CHECK(graph.game_value(node) == Score::cp(10)); // 1. e4 e5 2. Nf3 is -20: nothing else decides
}

TEST_CASE("estimate: a word counts no more than a larger search says that could have chosen it") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    const Move d4 = facts::move(root, "d4");
    const auto of_e4 = [&](std::vector<Evaluation> more) {
        Graph graph;
        const NodeId node = graph.intern(root);
        graph.apply(of_nodes(fact(1, root, e4, Score::cp(40)), 100));
        for (const Evaluation& one : more) {
            graph.apply(one);
        }
        const std::size_t i = facts::index_of(graph, node, e4);
        CHECK(graph.game_value_of(node, i) == Score::cp(40)); // nothing else looks at it
        return analysis::estimates(graph, node, {}).moves[i]->cp;
    };
    CHECK(of_e4({}) == Approx(40));
    CHECK(of_e4({of_nodes(fact(2, root, d4, Score::cp(15)), 200)}) == Approx(15));
    CHECK(of_e4({of_nodes(fact(2, root, d4, Score::cp(15)), 150)}) == Approx(40)); // of its order
    CHECK(of_e4({of_nodes(fact(2, root, d4, Score::cp(60)), 200)}) == Approx(40));
    // What had to leave it out says nothing of it.
    CHECK(of_e4({of_nodes(fact(2, root, d4, Score::cp(15), 1, {e4}), 200)}) == Approx(40));
    // The largest search has the last word.
    CHECK(of_e4({of_nodes(fact(2, root, d4, Score::cp(15)), 200),
                 of_nodes(fact(3, root, facts::move(root, "c4"), Score::cp(25)), 800)}) ==
          Approx(25));
}

TEST_CASE("estimate: mates are no centipawns, and what is known is not estimated") {
    const Position before = facts::position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    Graph graph;
    const NodeId node = graph.intern(before);
    graph.apply(fact(1, before, facts::move(before, "Qg7#"), Score::cp(700)));
    graph.apply(fact(2, before, facts::move(before, "Qg5"), Score::cp(600)));
    const Estimates seen = analysis::estimates(graph, node, {});
    CHECK_FALSE(seen.position);
    CHECK_FALSE(seen.moves[0]);
    CHECK(seen.moves[1]->cp == Approx(600));
    CHECK(analysis::estimates(graph, graph.moves(node)[0].target, {}).moves.empty());
}

TEST_CASE("estimate: noise between two searches is √2 times that of one") {
    CHECK(analysis::error_model(std::nullopt).sigma == Approx(25 / std::sqrt(2)).margin(0.01));
    CHECK(analysis::error_model(analysis::Noise{34, 3, 50}).sigma == Approx(34 / std::sqrt(2)));
    // Searches of one size agree with each other better than with a much longer one.
    CHECK(analysis::error_model(analysis::Noise{14, 3, 50}).sigma ==
          analysis::error_model(std::nullopt).sigma);
    const analysis::ErrorModel model{10, 0.5, 1};
    CHECK(analysis::half_width(model, 1) == Approx(10));
    CHECK(analysis::half_width(model, 0) == Approx(10 * std::sqrt(0.5))); // what all have in common
}

TEST_CASE("estimate: facts in any order, cycles too, give the same") {
    constexpr std::uint64_t seed = 20'240'661;
    std::cout << "estimates: seed " << seed << '\n';
    model::Random random{seed};
    const Position start = facts::position("4k3/8/8/8/3n4/8/8/R3K3 w Q - 0 1");
    for (std::size_t round = 0; round < model::tries(60); ++round) {
        auto made =
            facts::random_facts(random, start, 20 + model::below(random, 80), facts::any_move);
        const Graph graph = facts::build(made, start);
        facts::shuffle(random, made);
        const Graph other = facts::build(made, start);
        const NodeId root = graph.find(start.packed()).value();
        const Estimates one = analysis::estimates(graph, root, {}, 30);
        const Estimates two =
            analysis::estimates(other, other.find(start.packed()).value(), {}, 30);
        INFO("round " << round);
        REQUIRE(one.position.has_value() == two.position.has_value());
        if (one.position) {
            REQUIRE(one.position->cp == Approx(two.position->cp).margin(1e-6));
            REQUIRE(one.position->searches == two.position->searches);
            REQUIRE(one.position->low < one.position->cp);
        }
    }
}
