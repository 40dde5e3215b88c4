// A graph as it was, beside the present one, is the graph that is made of the facts up to then.
#include "two_graphs.hpp"

#include "analysis/past_graph.hpp"

#include <catch2/catch.hpp>

#include <iostream>
#include <map>
#include <string>

using namespace adjourn;
using analysis::Basis;
using analysis::Evaluation;
using analysis::Graph;
using analysis::GraphMove;
using analysis::NodeId;
using analysis::PastGraph;
using analysis::UnixMs;
using chess::Move;
using chess::Position;
using chess::Score;

namespace {

using Tables = std::shared_ptr<const analysis::Tables>;

Graph graph_of(const std::vector<Evaluation>& made, const Position& root, const Basis& basis,
               const Tables& tables, UnixMs until) {
    Graph graph{tables, basis};
    for (const Evaluation& one : made) {
        if (one.at <= until) {
            graph.apply(one);
        }
    }
    graph.add_root(graph.intern(root));
    return graph;
}

// The moment, and the present as it was when the looking began, while the graph goes on.
struct Moments {
    Graph& graph;
    UnixMs moment;
    PastGraph then{graph};
    PastGraph present{graph};

    void look(const std::vector<Evaluation>& facts) {
        for (std::uint32_t i = 0; i < graph.described_count(); ++i) { // as if in slices
            for (const auto& [node, several] : graph.newer_than(moment, i, i + 1)) {
                std::vector<Evaluation> here;
                for (const Evaluation& one : facts) {
                    if (several && one.question.position == graph.position(node).packed()) {
                        here.push_back(one);
                    }
                }
                const auto older = analysis::facts_then(graph.basis(), here, moment);
                then.set_moves(node,
                               analysis::moves_then(present.moves(node), older.moves, moment));
            }
        }
    }

    // A fact comes; it is taken back, whenever it is from.
    void come(const Evaluation& fact) {
        std::vector<GraphMove> moves;
        if (const auto known = graph.find(fact.question.position)) {
            moves.assign(graph.moves(*known).begin(), graph.moves(*known).end());
        }
        const auto changed = graph.apply(fact);
        std::vector<PastGraph::Before> about;
        if (const auto node = graph.find(fact.question.position); node && !changed.empty()) {
            about.push_back({*node, moves});
        }
        then.present_changed(changed, about);
        present.present_changed(changed, about);
    }
};

// Each piece goes between a few squares, so that lines meet and repeat.
bool back_and_forth(const Position& position, Move move) {
    static const std::string squares = "a1 b1 c1 a3 b3 g8 h8 d7 f8 f6 e5";
    const auto name = move.to().name();
    return !position.is_irreversible(move) &&
           squares.find(std::string{name[0], name[1]}) != std::string::npos;
}

std::size_t differing = 0; // values that are others than the present ones
std::size_t trusted = 0;   // scores that were trusted then and are not now
std::size_t repeating = 0; // values that a line makes others

void require_line(const Graph& expected, const PastGraph& found, const std::vector<NodeId>& line,
                  const std::vector<NodeId>& in_found) {
    const analysis::LineValues wanted{expected, line};
    const analysis::LineValues values{found, in_found};
    REQUIRE(values.alpha() == wanted.alpha());
    repeating += wanted.alpha() != expected.game_value(line.back()) ? 1 : 0;
    std::map<Move, std::pair<Score, bool>> by_move;
    for (std::size_t i = 0; i < expected.moves(line.back()).size(); ++i) {
        const auto value = wanted.alpha_of(i);
        by_move.emplace(expected.moves(line.back())[i].move,
                        std::pair{value.value, value.repetition});
    }
    for (std::size_t i = 0; i < by_move.size(); ++i) {
        const auto value = values.alpha_of(i);
        REQUIRE(by_move.at(found.moves(in_found.back())[i].move) ==
                std::pair{value.value, value.repetition});
    }
    REQUIRE(alpha_pv(found, in_found) == alpha_pv(expected, line));
}

void require_equal_past(model::Random& random, const Graph& expected, const PastGraph& found,
                        const Graph& graph, const Position& root) {
    for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
        const NodeId node{n};
        const auto there = expected.find(graph.position(node).packed());
        const auto moves = found.moves(node);
        REQUIRE(moves.size() == (there ? expected.moves(*there).size() : 0));
        if (!there) {
            continue;
        }
        REQUIRE(found.exact(node) == expected.exact(*there));
        REQUIRE(found.game_value(node) == expected.game_value(*there));
        differing += found.game_value(node) != graph.game_value(node) ? 1 : 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const std::size_t at = facts::index_of(expected, *there, moves[i].move);
            REQUIRE(at < moves.size());
            const GraphMove& wanted = expected.moves(*there)[at];
            REQUIRE(moves[i].engine_score == wanted.engine_score);
            REQUIRE(moves[i].effort == wanted.effort);
            REQUIRE(moves[i].evaluation == wanted.evaluation);
            REQUIRE(found.reached(moves[i].target));
            if (expected.expanded(wanted.target)) {
                REQUIRE(moves[i].trusted == wanted.trusted);
                const std::size_t now = facts::index_of(graph, node, moves[i].move);
                trusted += wanted.trusted && !graph.moves(node)[now].trusted ? 1 : 0;
            }
            REQUIRE(found.game_value_of(node, i) == expected.game_value_of(*there, at));
        }
    }
    for (int walk = 0; walk < 6; ++walk) {
        std::vector<NodeId> line{walk == 0 ? expected.find(root.packed()).value()
                                           : NodeId{static_cast<std::uint32_t>(
                                                 model::below(random, expected.node_count()))}};
        std::vector<NodeId> in_found{graph.find(expected.position(line.back()).packed()).value()};
        require_line(expected, found, line, in_found);
        while (line.size() < 12 && expected.expanded(line.back())) {
            const auto moves = expected.moves(line.back());
            line.push_back(moves[model::below(random, moves.size())].target);
            in_found.push_back(graph.find(expected.position(line.back()).packed()).value());
            require_line(expected, found, line, in_found);
        }
    }
}

// Rounds of random facts, moments and graphs that go on meanwhile.
void compare_with_graphs_of_then(std::uint64_t seed, std::size_t rounds, std::size_t most_facts) {
    std::cout << "past graph: seed " << seed << '\n';
    model::Random random{seed};
    const Position starts[] = {facts::position("6k1/3n4/8/8/8/8/8/RK6 w - - 0 1"),
                               facts::position("4k3/8/8/8/3n4/8/8/R3K3 w Q - 0 1"),
                               facts::position("6k1/8/8/8/8/8/8/RK6 b - - 0 1"),
                               facts::position("6k1/3n4/8/8/8/R7/8/1K6 w - - 0 1"),
                               facts::position("8/8/8/8/8/k7/7r/K7 b - - 0 1")};
    for (std::size_t round = 0; round < rounds; ++round) {
        INFO("round " << round);
        const Position& start = starts[round % std::size(starts)];
        auto made = facts::random_facts(random, start, 5 + model::below(random, most_facts),
                                        round % 4 == 0 ? facts::any_move : back_and_forth);
        if (made.empty()) {
            continue;
        }
        constexpr UnixMs step = 1'500; // less than a graph tells moments apart by
        for (Evaluation& one : made) {
            one.at = step * static_cast<UnixMs>(model::below(random, 12));
            one.question.limit.amount = 1 + model::below(random, round % 3 == 0 ? 3 : 16);
            if (round % 4 >= 2) { // many alike, so that positions lean on each other
                one.score = Score::cp(10 * static_cast<int>(model::below(random, 3)) - 10);
            }
        }
        Basis basis;
        if (round % 5 >= 3) {
            basis.least_effort = analysis::least_effort({analysis::Limit::Kind::depth, 2});
            for (std::size_t i = 0; i < 3; ++i) {
                const Evaluation& one = made[model::below(random, made.size())];
                basis.excluded.push_back({one.question.position, *one.move});
            }
            std::ranges::sort(basis.excluded);
        }
        const auto tables =
            round % 7 == 6 ? std::make_shared<const two_graphs::SomeTables>() : Tables{nullptr};
        const std::size_t later = model::below(random, 2 * made.size() / 3 + 1);
        const std::vector<Evaluation> first(made.begin(),
                                            made.end() - static_cast<std::ptrdiff_t>(later));
        const UnixMs moment = step * static_cast<UnixMs>(model::below(random, 12));
        const Graph before = graph_of(first, start, basis, tables, moment);
        const Graph after = graph_of(first, start, basis, tables, 12 * step);
        Graph graph;
        if (round % 2 == 0) {
            graph = graph_of(first, start, basis, tables, 12 * step);
        } else {
            analysis::GraphReader reader{tables, basis};
            std::ranges::for_each(first, [&](const Evaluation& one) { reader.take(one); });
            graph = reader.finish(std::span{&start, 1});
        }
        Moments moments{graph, moment};
        moments.look(first);
        std::size_t come = first.size();
        const auto piece = [] { return true; };
        for (bool settled = false; !settled || come < made.size();) {
            if (come < made.size() && model::below(random, 1 + round % 8) == 0) {
                moments.come(made[come++]);
            }
            const bool then = moments.then.go_on(piece); // both
            settled = moments.present.go_on(piece) && then;
        }
        REQUIRE_FALSE(moments.then.too_much());
        require_equal_past(random, before, moments.then, graph, start);
        require_equal_past(random, after, moments.present, graph, start);
    }
    CHECK(differing > rounds);
    CHECK(trusted > rounds / 10);
    CHECK(repeating > rounds / 100);
}

} // namespace

TEST_CASE("a graph as it was is the graph of the facts up to then") {
    compare_with_graphs_of_then(20'261'124, model::tries(1'000), 100);
    std::cout << "past graph: " << differing << " values others than the present ones, " << trusted
              << " scores that were trusted, " << repeating << " repetitions\n";
}

TEST_CASE("a graph as it was is the graph of the facts up to then, small ones", "[.][exhaustive]") {
    compare_with_graphs_of_then(20'261'125, 50'000, 40);
}
