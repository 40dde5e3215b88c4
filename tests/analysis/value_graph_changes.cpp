// Laws of change: incremental equals recomputed, order does not matter, and what is reported as
// changed is what changed.
#include "model.hpp"
#include "test.hpp"

using model::Edge;
using model::id;
using model::Model;
using model::NodeId;
using model::Score;
using model::ValueGraph;

namespace {

struct Values {
    std::optional<Score> idea;
    std::optional<Score> game;

    friend bool operator==(const Values&, const Values&) = default;
};

std::vector<Values> all_values(const ValueGraph& graph) {
    std::vector<Values> result;
    for (std::size_t node = 0; node < graph.node_count(); ++node) {
        result.push_back({graph.idea(id(node)), graph.game_value(id(node))});
    }
    return result;
}

// A model and the graph that follows it change by change.
struct Pair {
    Model plain;
    ValueGraph graph;
    std::size_t efforts = 1; // different ones

    void add_node(model::Random& random, int phis) {
        plain.nodes.push_back(
            {model::below(random, 2) == 0 ? chess::Color::white : chess::Color::black,
             static_cast<int>(model::below(random, static_cast<std::size_t>(phis)))});
        graph.add_node();
    }

    void describe(std::size_t node) {
        graph.describe(id(node), plain.nodes[node].turn, plain.nodes[node].phi);
    }

    std::vector<NodeId> change(model::Random& random) {
        const std::size_t count = plain.nodes.size();
        switch (model::below(random, 12)) {
        case 0: {
            const std::size_t node = model::below(random, count);
            plain.roots.push_back(node);
            return graph.add_root(id(node));
        }
        case 1: {
            if (plain.roots.empty()) {
                return {};
            }
            const std::size_t i = model::below(random, plain.roots.size());
            const std::size_t node = plain.roots[i];
            plain.roots.erase(plain.roots.begin() + static_cast<std::ptrdiff_t>(i));
            return graph.remove_root(id(node));
        }
        case 2: {
            if (model::below(random, 4) != 0) {
                return {}; // else soon everything would be exact
            }
            const std::size_t node = model::below(random, count);
            plain.nodes[node].exact = model::random_score(random);
            describe(node);
            return graph.set_exact(id(node), *plain.nodes[node].exact);
        }
        case 3:
        case 4:
        case 5: {
            if (plain.edges.empty()) {
                return {};
            }
            Edge& edge = plain.edges[model::below(random, plain.edges.size())];
            edge.score = model::random_score(random);
            edge.effort = std::max(edge.effort, model::random_effort(random, efforts));
            std::size_t i = 0;
            for (const Edge& other : plain.edges) {
                if (&other == &edge) {
                    break;
                }
                i += other.source == edge.source ? 1 : 0;
            }
            return graph.replace_move(id(edge.source), i, model::to_move(edge));
        }
        default: {
            for (int attempt = 0; attempt < 20; ++attempt) {
                const std::size_t source = model::below(random, count);
                const std::size_t target = model::below(random, count);
                const model::Node& from = plain.nodes[source];
                const model::Node& to = plain.nodes[target];
                if (from.turn != to.turn && from.phi >= to.phi) {
                    plain.edges.push_back({source, target, model::random_score(random),
                                           model::random_effort(random, efforts)});
                    describe(source);
                    return graph.add_move(id(source), model::to_move(plain.edges.back()));
                }
            }
            return {};
        }
        }
    }
};

} // namespace

TEST_CASE("incremental equals recomputed after every random change") {
    constexpr std::uint64_t seed = 20'240'611;
    std::cout << "incremental equals recomputed: seed " << seed << '\n';
    model::Random random{seed};
    std::size_t trusted = 0;
    for (std::size_t round = 0; round < model::tries(1'000); ++round) {
        Pair pair;
        pair.efforts = round % 2 == 0 ? 1 : 1 + model::below(random, 12);
        const std::size_t nodes = 4 + model::below(random, 30);
        const int phis = 1 + static_cast<int>(model::below(random, 2));
        for (std::size_t i = 0; i < nodes; ++i) {
            pair.add_node(random, phis);
        }
        const std::size_t changes = nodes + model::below(random, 3 * nodes);
        for (std::size_t change = 0; change < changes; ++change) {
            const std::vector<Values> before = all_values(pair.graph);
            const std::vector<NodeId> reported = pair.change(random);
            INFO("round " << round << " change " << change << '\n' << pair.plain.text());
            REQUIRE(pair.graph.verify().empty());
            const std::vector<Values> after = all_values(pair.graph);
            std::vector<NodeId> changed;
            for (std::size_t node = 0; node < nodes; ++node) {
                if (!(before[node] == after[node])) {
                    changed.push_back(id(node));
                }
            }
            REQUIRE(reported == changed);
        }
        pair.plain.judge_scores();
        std::vector<std::size_t> seen(nodes); // moves of each node
        for (const Edge& edge : pair.plain.edges) {
            REQUIRE(pair.graph.moves(id(edge.source))[seen[edge.source]++].trusted == edge.trusted);
            trusted += edge.trusted ? 1 : 0;
        }
        const model::Ideas ideas{pair.plain};
        for (std::size_t node = 0; node < nodes; ++node) {
            REQUIRE(pair.graph.idea(id(node)) == ideas.of(node));
            REQUIRE(pair.graph.ply(id(node)) == ideas.ply(node));
        }
    }
    CHECK(trusted > 300);
}

TEST_CASE("a bulk can follow and precede single changes") {
    constexpr std::uint64_t seed = 20'240'615;
    std::cout << "bulk: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(300); ++round) {
        Pair pair;
        pair.efforts = 1 + round % 9;
        for (std::size_t i = 0; i < 20; ++i) {
            pair.add_node(random, 2);
        }
        for (int part = 0; part < 4; ++part) {
            if (part % 2 == 1) {
                pair.graph.begin_bulk();
            }
            for (int change = 0; change < 15; ++change) {
                const auto reported = pair.change(random);
                REQUIRE((part % 2 == 0 || reported.empty()));
            }
            if (part % 2 == 1) {
                pair.graph.end_bulk();
            }
            INFO("round " << round << '\n' << pair.plain.text());
            REQUIRE(pair.graph.verify().empty());
        }
    }
}

TEST_CASE("moves of one node stay together and in order, however many there are") {
    ValueGraph graph;
    const NodeId source = graph.add_node();
    graph.describe(source, chess::Color::white, 0);
    graph.add_root(source);
    for (int i = 0; i < 218; ++i) {
        const NodeId target = graph.add_node();
        graph.add_move(source, model::to_move({0, static_cast<std::size_t>(target), Score::cp(i)}));
        REQUIRE(graph.moves(source).size() == static_cast<std::size_t>(i) + 1);
        REQUIRE(graph.game_value(source) == Score::cp(i));
        REQUIRE(graph.ply(target) == 1u);
        REQUIRE(graph.parents(target) == std::vector<NodeId>{source});
    }
    for (int i = 0; i < 218; ++i) {
        REQUIRE(graph.moves(source)[static_cast<std::size_t>(i)].engine_score == Score::cp(i));
    }
    REQUIRE(graph.verify().empty());
}

TEST_CASE("a line too long for its plies to be told still has its values") {
    constexpr std::size_t length = 70'000;
    ValueGraph graph;
    NodeId last = graph.add_node();
    graph.add_root(last);
    graph.begin_bulk();
    for (std::size_t i = 0; i < length; ++i) {
        graph.describe(last, i % 2 == 0 ? chess::Color::white : chess::Color::black, 7);
        const NodeId next = graph.add_node();
        graph.add_move(last, model::to_move({0, static_cast<std::size_t>(next), Score::cp(3)}));
        last = next;
    }
    graph.end_bulk();
    REQUIRE(graph.ply(id(65'534)) == 65'534u);
    REQUIRE_FALSE(graph.ply(id(65'535)).has_value());
    REQUIRE(graph.game_value(id(0)) == Score::cp(-3));
    graph.add_root(id(3));
    REQUIRE(graph.ply(id(65'535)) == 65'532u);
    graph.remove_root(id(3));
    REQUIRE_FALSE(graph.ply(id(65'535)).has_value());
    REQUIRE(graph.verify().empty());
}

TEST_CASE("a chain of reversible moves that grows at its end, and closes") {
    constexpr std::size_t length = 1'000;
    ValueGraph graph;
    NodeId last = graph.add_node();
    const NodeId first = last;
    graph.add_root(first);
    for (std::size_t i = 0; i < length; ++i) {
        graph.describe(last, i % 2 == 0 ? chess::Color::white : chess::Color::black, 7);
        const NodeId next = graph.add_node();
        graph.add_move(last, model::to_move({0, static_cast<std::size_t>(next),
                                             Score::cp(static_cast<int>(i))}));
        last = next;
    }
    // The last move is Black's, worth length - 1 to Black.
    REQUIRE(graph.game_value(first) == Score::cp(-static_cast<int>(length - 1)));
    REQUIRE(graph.idea(first) == graph.game_value(first));
    REQUIRE(graph.ply(last) == length);
    graph.describe(last, chess::Color::white, 7);
    const NodeId aside = graph.add_node();
    graph.add_move(last, model::to_move({0, static_cast<std::size_t>(aside), Score::cp(5)}));
    REQUIRE(graph.game_value(first) == Score::cp(5));
    // A way back for Black before the end: nobody can force anything but White's 5 at the end, and
    // Black need not go there.
    const NodeId before_last{static_cast<std::uint32_t>(length - 1)};
    graph.add_move(before_last, model::to_move({0, 0, Score::cp(-300)}));
    REQUIRE(graph.game_value(first) == Score::cp(0));
    REQUIRE(graph.idea(first) == Score::cp(5)); // the way back keeps its engine score
    REQUIRE(graph.idea_of(before_last, 1).closes_cycle);
    REQUIRE(graph.verify().empty());
}
