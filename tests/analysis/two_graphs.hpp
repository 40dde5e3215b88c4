// Graphs made of random facts in several ways, and whether two of them are equal in all that can be
// asked.
#pragma once

#include "facts.hpp"

#include "analysis/graph.hpp"
#include "test.hpp"

namespace adjourn::two_graphs {

using analysis::Basis;
using analysis::Evaluation;
using analysis::Graph;
using analysis::GraphMove;
using analysis::NodeId;
using chess::Position;
using chess::Score;

// Says of some positions without castling rights that they are won or drawn.
class SomeTables : public analysis::Tables {
public:
    std::optional<Score> value(const Position& position) const override {
        const std::size_t hash = chess::PackedPositionHash{}(position.packed());
        if (position.castling_rooks() != 0 || hash % 11 != 0) {
            return std::nullopt;
        }
        return Score::tablebase(hash % 2 == 0 ? chess::Wdl::win : chess::Wdl::draw,
                                static_cast<int>(hash / 100 % 20));
    }
    std::vector<analysis::TableMove> moves(const Position&) const override { return {}; }
};

inline Graph one_by_one(const std::vector<Evaluation>& made, const Position& root,
                        const Basis& basis, const std::shared_ptr<const analysis::Tables>& tables) {
    Graph graph{tables, basis};
    for (const Evaluation& one : made) {
        graph.apply(one);
    }
    graph.add_root(graph.intern(root));
    return graph;
}

inline Graph read(const std::vector<Evaluation>& made, const Position& root, const Basis& basis,
                  const std::shared_ptr<const analysis::Tables>& tables) {
    analysis::GraphReader reader{tables, basis};
    for (const Evaluation& one : made) {
        reader.take(one);
    }
    const Position roots[] = {root};
    return reader.finish(roots);
}

// The position's parents as the graph has them, by what they are.
inline std::set<std::pair<chess::PackedPosition, std::size_t>> parents_of(const Graph& graph,
                                                                          NodeId node) {
    std::set<std::pair<chess::PackedPosition, std::size_t>> result;
    for (const auto& [parent, move] : graph.parents(node)) {
        result.emplace(graph.position(parent).packed(), move);
    }
    return result;
}

inline void require_equal(const Graph& a, const Graph& b) {
    REQUIRE(b.verify().empty());
    REQUIRE(a.node_count() == b.node_count());
    REQUIRE(a.move_count() == b.move_count());
    REQUIRE(a.expanded_count() == b.expanded_count());
    REQUIRE(a.digest() == b.digest());
    for (std::uint32_t n = 0; n < a.node_count(); ++n) {
        const NodeId in_a{n};
        const Position position = a.position(in_a);
        const auto found = b.find(position.packed());
        REQUIRE(found);
        const NodeId in_b = *found;
        REQUIRE(b.position(in_b) == position);
        REQUIRE(a.exact(in_a) == b.exact(in_b));
        REQUIRE(a.idea(in_a) == b.idea(in_b));
        REQUIRE(a.game_value(in_a) == b.game_value(in_b));
        REQUIRE(a.ply(in_a) == b.ply(in_b));
        REQUIRE(parents_of(a, in_a) == parents_of(b, in_b));
        const auto of_a = a.moves(in_a);
        const auto of_b = b.moves(in_b);
        REQUIRE(of_a.size() == of_b.size());
        for (std::size_t i = 0; i < of_a.size(); ++i) {
            const GraphMove& one = of_a[i];
            const GraphMove& other = of_b[i];
            REQUIRE(one.move == other.move);
            REQUIRE(one.engine_score == other.engine_score);
            REQUIRE(one.effort == other.effort);
            REQUIRE(one.evaluation == other.evaluation);
            REQUIRE(one.at == other.at);
            REQUIRE(one.trusted == other.trusted);
            REQUIRE(b.position(other.target) == a.position(one.target));
            REQUIRE(a.ceiling_of(in_a, i) == b.ceiling_of(in_b, i));
            REQUIRE(a.rest_bound(in_a, one.effort) == b.rest_bound(in_b, one.effort));
        }
    }
}

// Leaves out what is small, and a few moves of the facts.
inline Basis random_basis(model::Random& random, const std::vector<Evaluation>& made) {
    Basis basis;
    basis.least_effort =
        analysis::least_effort({analysis::Limit::Kind::depth, 2 + model::below(random, 2)});
    for (std::size_t i = 0; i < 5; ++i) {
        const Evaluation& one = made[model::below(random, made.size())];
        if (one.move) {
            basis.excluded.push_back({one.question.position, *one.move});
        }
    }
    std::ranges::sort(basis.excluded);
    return basis;
}

// A game's beginning, castling and en passant, few men, a mate that is near, a king that is caught.
inline const std::vector<Position>& starts() {
    static const std::vector<Position> all = {
        Position::initial(), facts::position("r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1"),
        facts::position("4k3/8/8/8/3n4/8/8/R3K3 w Q - 0 1"),
        facts::position("7k/5Q2/8/8/8/8/8/K5R1 w - - 0 1"),
        facts::position("8/8/8/8/8/k7/7r/K7 b - - 0 1")};
    return all;
}

// Random facts, of which some come later than a graph is made of the others.
struct RandomCase {
    RandomCase(model::Random& random, std::size_t round)
        : start{starts()[round % starts().size()]},
          made{facts::random_facts(random, start, 20 + model::below(random, 200), facts::any_move)},
          tables{round % 4 == 3 ? std::make_shared<const SomeTables>() : nullptr} {}

    // To be called once `made` is as it shall be.
    void divide(model::Random& random, std::size_t round) {
        basis = round % 2 == 1 ? random_basis(random, made) : Basis{};
        const std::size_t later = model::below(random, made.size() / 2);
        first.assign(made.begin(), made.end() - static_cast<std::ptrdiff_t>(later));
    }

    Position start;
    std::vector<Evaluation> made;
    std::shared_ptr<const analysis::Tables> tables;
    Basis basis;
    std::vector<Evaluation> first;
};

} // namespace adjourn::two_graphs
