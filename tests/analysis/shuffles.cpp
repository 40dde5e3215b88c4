// Real positions in which pieces go to and fro: alpha against line walking over chess positions,
// and the laws of the graph where everything is one large component.
#include "facts.hpp"

#include "analysis/graph.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Graph;
using analysis::LineValues;
using analysis::NodeId;
using chess::Move;
using chess::Position;

namespace {

// The graph as plain data, whose walks follow the definition of alpha.
model::Model plain_of(const Graph& graph) {
    model::Model result;
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        const NodeId node{n};
        result.nodes.push_back({graph.position(node).turn(), 0, graph.exact(node)});
        for (const analysis::GraphMove& move : graph.moves(node)) {
            result.edges.push_back({n, static_cast<std::size_t>(move.target), move.engine_score,
                                    move.effort, move.trusted});
        }
    }
    return result;
}

bool reversible(const Position& position, Move move) {
    return !position.is_irreversible(move);
}

// Each piece goes between two or three squares, so that a few facts make many cycles.
bool narrow(const Position& position, Move move) {
    static const std::string squares = "a1 b1 c1 a3 b3 g8 h8 d7 f8 f6 e5";
    const auto name = move.to().name();
    return reversible(position, move) &&
           squares.find(std::string{name[0], name[1]}) != std::string::npos;
}

} // namespace

TEST_CASE("alpha of king, rook and knight shuffles equals line walking") {
    constexpr std::uint64_t seed = 20'240'641;
    std::cout << "shuffles: seed " << seed << '\n';
    model::Random random{seed};
    const Position starts[] = {facts::position("6k1/3n4/8/8/8/R7/8/1K6 w - - 0 1"),
                               facts::position("6k1/3n4/8/8/8/8/8/RK6 b - - 0 1"),
                               facts::position("7k/8/5n2/8/8/1R6/8/K7 w - - 0 1")};
    std::size_t repetitions = 0;
    std::size_t history_matters = 0;
    for (std::size_t round = 0; round < model::tries(1'000); ++round) {
        const Position& start = starts[round % 3];
        const auto made = facts::random_facts(random, start, 10 + model::below(random, 20), narrow);
        const Graph graph = facts::build(made, start);
        const model::Model plain = plain_of(graph);
        REQUIRE(graph.verify().empty());
        // A line along moves of the graph.
        std::vector<NodeId> nodes{graph.find(start.packed()).value()};
        std::vector<std::size_t> line{static_cast<std::size_t>(nodes.front())};
        LineValues followed{graph, nodes};
        while (line.size() <= 8 && graph.expanded(nodes.back())) {
            INFO("round " << round << ": " << graph.position(nodes.back()).fen());
            const LineValues values{graph, nodes};
            const auto moves = graph.moves(nodes.back());
            REQUIRE(values.alpha().value().rank() == model::walk(plain, line, line.size()).rank());
            REQUIRE(followed.node() == nodes.back());
            REQUIRE(followed.alpha() == values.alpha());
            history_matters += values.alpha() != graph.game_value(nodes.back()) ? 1 : 0;
            const auto edges = plain.edges_of(line.back());
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const bool repeats = std::ranges::count(nodes, moves[i].target) > 0;
                REQUIRE(values.alpha_of(i).repetition == repeats);
                REQUIRE(followed.alpha_of(i).repetition == repeats);
                REQUIRE(followed.alpha_of(i).value == values.alpha_of(i).value);
                const model::Edge& edge = plain.edges[edges[i]];
                REQUIRE(values.alpha_of(i).value.rank() ==
                        model::walk_move(plain, line, edge, line.size()).rank());
                repetitions += repeats ? 1 : 0;
            }
            const std::size_t choice = model::below(random, moves.size());
            followed.follow(choice);
            nodes.push_back(moves[choice].target);
            line.push_back(static_cast<std::size_t>(nodes.back()));
        }
    }
    CHECK(repetitions > 30);
    CHECK(history_matters > 5);
}

TEST_CASE(
    "thousands of shuffling positions: incremental equals recomputed, order does not matter") {
    constexpr std::uint64_t seed = 20'240'642;
    std::cout << "large shuffles: seed " << seed << '\n';
    model::Random random{seed};
    const Position start = facts::position("6k1/3n4/8/8/8/8/8/RK6 w - - 0 1");
    auto made = facts::random_facts(random, start, 2'000, narrow);
    const auto wide = facts::random_facts(random, start, 2'000, reversible);
    made.insert(made.end(), wide.begin(), wide.end());
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].id = analysis::EvaluationId{static_cast<std::int64_t>(i) + 1};
    }
    Graph graph;
    graph.add_root(graph.intern(start));
    for (std::size_t i = 0; i < made.size(); ++i) {
        graph.apply(made[i]);
        REQUIRE((i % 100 != 0 || graph.verify().empty()));
    }
    REQUIRE(graph.verify().empty());
    facts::shuffle(random, made);
    REQUIRE(facts::build(made, start).digest() == graph.digest());
}
