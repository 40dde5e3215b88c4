// Both scores against oracles that follow their definitions.
#include "analysis/values/solve/game_update.hpp"
#include "model.hpp"
#include "test.hpp"

using model::Edge;
using model::id;
using model::Model;
using model::NodeId;
using model::Score;
using model::ValueGraph;

namespace {

// Either the way from somewhere to the node, or any nodes that might stand before it.
std::vector<std::size_t> random_line(model::Random& random, const Model& m, std::size_t last) {
    std::vector<std::size_t> line;
    if (model::below(random, 2) == 0) {
        line.push_back(last);
        while (model::below(random, 5) != 0) { // backward
            std::vector<std::size_t> before;
            for (const Edge& edge : m.edges) {
                if (edge.target == line.back()) {
                    before.push_back(edge.source);
                }
            }
            if (before.empty()) {
                break;
            }
            line.push_back(before[model::below(random, before.size())]);
        }
        std::reverse(line.begin(), line.end());
        return line;
    }
    for (std::size_t node = 0; node < m.nodes.size(); ++node) {
        if (node != last && m.nodes[node].phi >= m.nodes[last].phi &&
            model::below(random, 4) == 0) {
            line.push_back(node);
        }
    }
    std::stable_sort(line.begin(), line.end(),
                     [&](std::size_t a, std::size_t b) { return m.nodes[a].phi > m.nodes[b].phi; });
    line.push_back(last);
    return line;
}

// A value of 0 from lines is a draw whatever it comes from; every other rank names one score.
void require_alpha(const Model& m, const ValueGraph& graph, std::vector<std::size_t> line) {
    std::vector<NodeId> ids;
    for (const std::size_t node : line) {
        ids.push_back(id(node));
    }
    const analysis::LineResult result = graph.sweep(ids)->result();
    const std::size_t last = line.back();
    if (m.nodes[last].exact) {
        REQUIRE(result.alpha == m.nodes[last].exact);
    } else if (m.active(last)) {
        REQUIRE(result.alpha.value().rank() == model::walk(m, line, line.size()).rank());
    } else {
        REQUIRE_FALSE(result.alpha.has_value());
    }
    const auto moves = m.edges_of(last);
    REQUIRE(result.moves.size() == moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Edge& edge = m.edges[moves[i]];
        const bool repeats = std::find(line.begin(), line.end(), edge.target) != line.end();
        REQUIRE(result.moves[i].repetition == repeats);
        const Score expected = model::walk_move(m, line, edge, line.size());
        REQUIRE(result.moves[i].value.rank() == expected.rank());
        if (repeats || !m.active(edge.target) || edge.trusted) {
            REQUIRE(result.moves[i].value == expected);
        }
    }
}

} // namespace

TEST_CASE("alpha and game value equal line walking on random cyclic graphs") {
    constexpr std::uint64_t seed = 20'240'601;
    std::cout << "alpha against line walking: seed " << seed << '\n';
    model::Random random{seed};
    const std::size_t count = model::tries(30'000);
    std::size_t history_matters = 0;
    std::size_t trusted = 0;
    for (std::size_t round = 0; round < count; ++round) {
        const Model m = model::random_model(random, model::random_small_shape(random));
        INFO("round " << round << '\n' << m.text());
        const ValueGraph graph = round % 2 == 0 ? model::build(m) : model::build_in_bulk(m);
        for (std::size_t node = 0; node < m.nodes.size(); ++node) {
            const auto edges = m.edges_of(node);
            for (std::size_t i = 0; i < edges.size(); ++i) {
                const Edge& edge = m.edges[edges[i]];
                REQUIRE(graph.moves(id(node))[i].trusted == edge.trusted);
                trusted += edge.trusted && m.active(node) && m.active(edge.target) ? 1 : 0;
            }
            std::vector<std::size_t> alone{node};
            const std::optional<Score> value = graph.game_value(id(node));
            if (m.nodes[node].exact) {
                REQUIRE(value == m.nodes[node].exact);
            } else if (m.active(node)) {
                REQUIRE(value.value().rank() == model::walk(m, alone, 0).rank());
            } else {
                REQUIRE_FALSE(value.has_value());
            }
        }
        const std::size_t last = model::below(random, m.nodes.size());
        const auto line = random_line(random, m, last);
        require_alpha(m, graph, line);
        if (m.active(last)) {
            std::vector<std::size_t> walked = line;
            history_matters += model::walk(m, walked, walked.size()).rank() !=
                                       graph.game_value(id(last)).value().rank()
                                   ? 1
                                   : 0;
        }
    }
    CHECK(history_matters > count / 200); // the property was put to the test
    CHECK(trusted > count / 4);
}

TEST_CASE("idea equals its definition on random cyclic graphs") {
    constexpr std::uint64_t seed = 20'240'602;
    std::cout << "idea against its definition: seed " << seed << '\n';
    model::Random random{seed};
    std::size_t closing = 0;
    const std::size_t count = model::tries(10'000);
    for (std::size_t round = 0; round < count; ++round) {
        const Model m = model::random_model(random, model::random_small_shape(random));
        INFO("round " << round << '\n' << m.text());
        const ValueGraph graph = round % 2 == 0 ? model::build(m) : model::build_in_bulk(m);
        const model::Ideas ideas{m};
        for (std::size_t node = 0; node < m.nodes.size(); ++node) {
            REQUIRE(graph.idea(id(node)) == ideas.of(node));
            REQUIRE(graph.ply(id(node)) == ideas.ply(node));
            const auto moves = m.edges_of(node);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const model::MoveValue value = graph.idea_of(id(node), i);
                REQUIRE(value.closes_cycle == ideas.closes_cycle(m.edges[moves[i]]));
                REQUIRE(value.value == ideas.of(m.edges[moves[i]]));
                closing += value.closes_cycle ? 1 : 0;
            }
        }
    }
    CHECK(closing > count);
}

TEST_CASE("alpha in large components equals a full sweep with the line as dead ends") {
    constexpr std::uint64_t seed = 20'240'605;
    std::cout << "dead ends: seed " << seed << '\n';
    model::Random random{seed};
    std::size_t differs = 0;
    for (std::size_t round = 0; round < model::tries(150); ++round) {
        const std::size_t nodes = 30 + model::below(random, 200);
        const Model m = model::random_model(
            random, {nodes, nodes + model::below(random, 4 * nodes), 1 + (round % 2 == 0), 0.05});
        const ValueGraph graph = model::build(m);
        for (int i = 0; i < 5; ++i) {
            const std::size_t last = model::below(random, nodes);
            const auto line = random_line(random, m, last);
            Model dead = m;
            std::vector<NodeId> ids;
            for (const std::size_t node : line) {
                dead.nodes[node].exact = Score::cp(0);
                ids.push_back(id(node));
            }
            const ValueGraph swept = model::build_in_bulk(dead);
            const analysis::LineResult result = graph.sweep(ids)->result();
            REQUIRE(result.moves.size() == m.edges_of(last).size());
            INFO("round " << round);
            for (std::size_t k = 0; k < result.moves.size(); ++k) {
                REQUIRE(result.moves[k].value.rank() == swept.game_value_of(id(last), k).rank());
                differs += result.moves[k].value != graph.game_value_of(id(last), k) ? 1 : 0;
            }
        }
    }
    CHECK(differs > 100);
}
