// What a graph rests on: evaluations of some effort at least, moves that exist, and scores that are
// not overruled by less work than they come from.
#include "facts.hpp"

#include "analysis/graph.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Basis;
using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

Graph build_in_bulk(const std::vector<Evaluation>& made, const Position& root, const Basis& basis) {
    Graph graph{nullptr, basis};
    graph.begin_bulk();
    for (const Evaluation& one : made) {
        graph.apply(one);
    }
    graph.add_root(graph.intern(root));
    graph.end_bulk();
    return graph;
}

Basis of_depth(std::uint64_t depth) {
    return {analysis::least_effort({analysis::Limit::Kind::depth, depth})};
}

} // namespace

TEST_CASE("as large as a limit: one ply less, half the nodes or the time, of any kind") {
    using analysis::effort;
    using analysis::Limit;
    const double depth = analysis::least_effort({Limit::Kind::depth, 14});
    CHECK(effort({Limit::Kind::depth, 13}) >= depth);
    CHECK(effort({Limit::Kind::depth, 12}) < depth);
    CHECK(effort({Limit::Kind::nodes, 40'000}) >= depth); // depth 13 is about 20,000
    CHECK(effort({Limit::Kind::nodes, 10'000}) < depth);
    const double nodes = analysis::least_effort({Limit::Kind::nodes, 1'000});
    CHECK(effort({Limit::Kind::nodes, 500}) >= nodes);
    CHECK(effort({Limit::Kind::nodes, 499}) < nodes);
    const double time = analysis::least_effort({Limit::Kind::movetime, 3'000});
    CHECK(effort({Limit::Kind::movetime, 1'500}) >= time);
    CHECK(effort({Limit::Kind::movetime, 1'499}) < time);
}

TEST_CASE("a move that mates needs no search, and no other move passes for one") {
    const Position root = facts::position("7k/5Q2/8/8/8/8/8/K5R1 w - - 0 1");
    Graph graph{nullptr, of_depth(14)};
    const NodeId node = graph.intern(root);
    graph.apply(fact(1, root, facts::move(root, "Qf1"), Score::mate_in(1), 1));
    CHECK_FALSE(graph.expanded(node));
    graph.apply(fact(2, root, facts::move(root, "Rh1#"), Score::mate_in(1), 1));
    CHECK(graph.moves(node).size() == 1);
    CHECK(graph.game_value(node) == Score::mate_in(1));
    Graph without{nullptr,
                  {of_depth(14).least_effort, {{root.packed(), facts::move(root, "Rh1#")}}}};
    without.apply(fact(2, root, facts::move(root, "Rh1#"), Score::mate_in(1), 1));
    CHECK_FALSE(without.expanded(without.intern(root)));
}

TEST_CASE("a larger look is not outvoted by smaller work below it, until that is half as much") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    const auto nodes = [](Evaluation of, std::uint64_t amount) {
        of.question.limit = {analysis::Limit::Kind::nodes, amount};
        return of;
    };
    Graph graph;
    const NodeId node = graph.intern(root);
    graph.add_root(node);
    graph.apply(nodes(fact(1, root, e4, Score::cp(30)), 1'000'000));
    // Five evaluations of 100,000 nodes on the line below: the first four are too little.
    const std::vector<std::string> line{"1. e4", "1. e4 e5", "1. e4 e5 2. Nf3",
                                        "1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Nf3 Nc6 3. Bb5"};
    const std::vector<std::string> replies{"e5", "Nf3", "Nc6", "Bb5", "a6"};
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Position position = facts::after(line[i]);
        const int white = i % 2 == 0 ? 1 : -1; // Black to move: good for Black is bad for White
        CHECK(graph.moves(node)[0].trusted == (i > 0));
        CHECK(graph.game_value(node) == Score::cp(30));
        graph.apply(nodes(fact(static_cast<std::int64_t>(i) + 2, position,
                               facts::move(position, replies[i]), Score::cp(100 * white)),
                          100'000));
        CHECK(graph.verify().empty());
    }
    CHECK_FALSE(graph.moves(node)[0].trusted);
    CHECK(graph.game_value(node) == Score::cp(-100));
    CHECK(graph.idea(node) == Score::cp(-100));
    CHECK(graph.moves(node)[0].engine_score == Score::cp(30)); // both can be shown

    // A larger search takes the place of the one that was overruled.
    graph.apply(nodes(fact(20, root, e4, Score::cp(25)), 2'000'000));
    CHECK(graph.moves(node)[0].trusted);
    CHECK(graph.game_value(node) == Score::cp(25));
    CHECK(graph.verify().empty());
}

TEST_CASE("a move that the basis excludes does not exist, and says nothing of the others") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    const Move d4 = facts::move(root, "d4");
    const std::vector<Evaluation> all{fact(1, root, e4, Score::cp(30)),
                                      fact(2, root, d4, Score::cp(15), 10, {e4})};
    Basis without;
    without.excluded = {{root.packed(), e4}};
    const Graph graph = facts::build(all, root, without);
    const NodeId node = graph.find(root.packed()).value();
    REQUIRE(graph.moves(node).size() == 1);
    CHECK(graph.moves(node)[0].move == d4);
    CHECK(graph.excluded_at(root.packed()) == std::vector<Move>{e4});
    // Beside e4, no move is worth more than 30; beside e4 and d4, none more than 15.
    CHECK(graph.rest_bound(node, 0) == Score::cp(15));
    without.excluded = {{root.packed(), e4}, {root.packed(), d4}};
    std::sort(without.excluded.begin(), without.excluded.end());
    const Graph bare = facts::build(all, root, without);
    CHECK_FALSE(bare.expanded(bare.find(root.packed()).value()));
}

TEST_CASE("random facts on a basis: as if those that it leaves out had never been") {
    constexpr std::uint64_t seed = 20'240'651;
    std::cout << "basis: seed " << seed << '\n';
    model::Random random{seed};
    const Position starts[] = {Position::initial(),
                               facts::position("r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1"),
                               facts::position("4k3/8/8/8/3n4/8/8/R3K3 w Q - 0 1")};
    std::size_t left_out = 0;
    for (std::size_t round = 0; round < model::tries(60); ++round) {
        const Position& start = starts[round % 3];
        auto made =
            facts::random_facts(random, start, 20 + model::below(random, 60), facts::any_move);
        for (Evaluation& one : made) {
            one.question.limit.amount = 1 + model::below(random, 12);
        }
        Basis basis = of_depth(1 + model::below(random, 12));
        for (const Evaluation& one : made) {
            if (model::below(random, 5) == 0) {
                basis.excluded.push_back({one.question.position, *one.move});
            }
        }
        std::sort(basis.excluded.begin(), basis.excluded.end());
        std::vector<Evaluation> kept;
        for (const Evaluation& one : made) {
            const bool exists =
                !std::binary_search(basis.excluded.begin(), basis.excluded.end(),
                                    analysis::ExcludedMove{one.question.position, *one.move});
            if (exists && analysis::effort(one.question.limit) >= basis.least_effort) {
                kept.push_back(one);
            }
        }
        left_out += made.size() - kept.size();
        INFO("round " << round);
        const Graph expected = facts::build(kept, start);
        const Graph graph = facts::build(made, start, basis);
        REQUIRE(graph.digest() == expected.digest());
        REQUIRE(graph.move_count() == expected.move_count());
        REQUIRE(graph.verify().empty());
        facts::shuffle(random, made);
        REQUIRE(facts::build(made, start, basis).digest() == expected.digest());
        REQUIRE(build_in_bulk(made, start, basis).digest() == expected.digest());
        const NodeId root = graph.find(start.packed()).value();
        for (std::size_t i = 0; i < graph.moves(root).size(); ++i) {
            const Move move = graph.moves(root)[i].move;
            const NodeId other = expected.find(start.packed()).value();
            REQUIRE(graph.game_value_of(root, i) ==
                    expected.game_value_of(other, facts::index_of(expected, other, move)));
        }
    }
    CHECK(left_out > 500);
}

TEST_CASE("provisional: it counts, for less than any answer of the limit, whatever it was") {
    using analysis::Limit;
    for (const Limit limit :
         {Limit{Limit::Kind::depth, 8}, Limit{Limit::Kind::depth, 20},
          Limit{Limit::Kind::nodes, 1'000}, Limit{Limit::Kind::nodes, 4'000'000},
          Limit{Limit::Kind::nodes, 1'234'567}, Limit{Limit::Kind::movetime, 777}}) {
        const Basis basis{analysis::least_effort(limit)};
        for (const Limit asked :
             {limit, Limit{limit.kind, 16 * limit.amount}, Limit{Limit::Kind::depth, 40},
              Limit{Limit::Kind::nodes, 50'000'000}}) {
            CAPTURE(limit.amount, asked.amount);
            const Position start = Position::initial();
            Evaluation given = fact(1, start, facts::move(start, "e4"), Score::cp(10));
            given.question.limit = asked;
            const bool counted = analysis::counts(basis, given);
            const Evaluation made = analysis::provisional(given, basis);
            CHECK(analysis::counts(basis, made) == counted);
            CHECK(analysis::effort(made.question.limit) < analysis::effort(limit));
            given.question.limit = made.question.limit;
            CHECK(made == given); // nothing else
        }
    }
}
