// Graph: positions, facts and their replacement, what follows for the values, variations.
#include "facts.hpp"

#include "analysis/graph.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Bound;
using analysis::Evaluation;
using analysis::Graph;
using analysis::LineValues;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

std::vector<NodeId> line_of(Graph& graph, std::string_view text) {
    Position position = Position::initial();
    std::vector<NodeId> line{graph.intern(position)};
    const std::vector<Move> moves = chess::parse_line(position, text).value();
    for (const Move move : moves) {
        position.play(move);
        line.push_back(graph.intern(position));
    }
    return line;
}

// The facts of a line of SAN moves, each move scored from its mover's side.
void play(Graph& graph, std::string_view text, const std::vector<int>& scores) {
    Position position = Position::initial();
    std::int64_t id = 1;
    const std::vector<Move> moves = chess::parse_line(position, text).value();
    for (const Move move : moves) {
        graph.apply(fact(id, position, move, Score::cp(scores[static_cast<std::size_t>(id - 1)])));
        ++id;
        position.play(move);
    }
}

} // namespace

TEST_CASE("1. Nf3 Nf6 2. Ng1 Ng8 repeats the start position: alpha 0, idea as the engine says") {
    Graph graph;
    const NodeId start = graph.intern(Position::initial());
    graph.add_root(start);
    play(graph, "1. Nf3 Nf6 2. Ng1 Ng8", {20, -20, -40, -19});
    const auto line = line_of(graph, "1. Nf3 Nf6 2. Ng1");
    const NodeId before = line.back();
    const Move back = facts::move(graph.position(before), "Ng8");
    const std::size_t i = facts::index_of(graph, before, back);

    CHECK(graph.idea_of(before, i).value == Score::cp(-19));
    CHECK(graph.idea_of(before, i).closes_cycle);
    const LineValues values{graph, line};
    CHECK(values.alpha_of(i).value == Score::cp(0));
    CHECK(values.alpha_of(i).repetition);
    CHECK(values.alpha() == Score::cp(0));

    // The same position with another history: nothing repeats, and the move leads to the game from
    // the start position, which goes round for ever.
    const NodeId alone[] = {before};
    const LineValues fresh{graph, alone};
    CHECK_FALSE(fresh.alpha_of(i).repetition);
    CHECK(fresh.alpha_of(i).value == graph.game_value(start)->backed_up());

    // A better move for White turns the start position, not the repetition.
    const Position position = Position::initial();
    graph.apply(fact(9, position, facts::move(position, "e4"), Score::cp(30)));
    const LineValues again{graph, line};
    CHECK(again.alpha_of(i).value == Score::cp(0)); // on the line
    const LineValues other{graph, alone};
    CHECK(other.alpha_of(i).value == Score::cp(-30)); // not on it
    CHECK(graph.idea(start) == Score::cp(30));
    CHECK(graph.verify().empty());
}

TEST_CASE("a node stands for its position, however one comes there") {
    Graph graph;
    const NodeId start = graph.intern(Position::initial());
    CHECK(graph.intern(Position::initial()) == start);
    CHECK_FALSE(graph.find(facts::after("1. e4").packed()).has_value());
    play(graph, "1. Nf3 d5 2. g3", {1, 2, 3});
    play(graph, "1. g3 d5", {1, 2});
    // The last moves of both lines meet once 2. Nf3 is known.
    const Position meeting = facts::after("1. g3 d5");
    graph.apply(fact(20, meeting, facts::move(meeting, "Nf3"), Score::cp(4)));
    const NodeId node = graph.find(facts::after("1. Nf3 d5 2. g3").packed()).value();
    CHECK(graph.parents(node).size() == 2);
    CHECK(graph.position(node) == facts::after("1. g3 d5 2. Nf3"));
    CHECK_FALSE(graph.expanded(node));
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
        CHECK(graph.find(graph.position(NodeId{i}).packed()) == NodeId{i});
    }
    CHECK(graph.move_count() == 6);
    CHECK(graph.count_below(start, 100) == 5);
    CHECK(graph.count_below(start, 3) == 3);
    CHECK(graph.count_below(node, 100) == 0);
}

TEST_CASE("positions of many random nodes survive the index's growth") {
    constexpr std::uint64_t seed = 20'240'621;
    std::cout << "position index: seed " << seed << '\n';
    model::Random random{seed};
    const auto made = facts::random_facts(random, Position::initial(), 3'000, facts::any_move);
    const Graph graph = facts::build(made, Position::initial());
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
        const Position position = graph.position(NodeId{i});
        REQUIRE(graph.find(position.packed()) == NodeId{i});
        for (const auto& move : graph.moves(NodeId{i})) {
            REQUIRE(graph.position(move.target) == position.after(move.move));
        }
    }
    REQUIRE(graph.verify().empty());
}

TEST_CASE("mate, stalemate and dead positions have exact values by themselves") {
    Graph graph;
    CHECK(graph.exact(graph.intern(facts::position("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"))) ==
          Score::mated_in(0));
    CHECK(graph.exact(graph.intern(facts::position("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1"))) ==
          Score::cp(0));
    CHECK(graph.exact(graph.intern(facts::position("7k/8/5K2/8/8/8/8/8 b - - 0 1"))) ==
          Score::cp(0));
    const Position before = facts::position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    const NodeId node = graph.intern(before);
    CHECK_FALSE(graph.exact(node).has_value());
    graph.apply(fact(1, before, facts::move(before, "Qg7#"), Score::cp(700)));
    CHECK(graph.game_value(node) == Score::mate_in(1)); // the rules know better than the engine
    CHECK(graph.idea(node) == Score::mate_in(1));
    // A table cannot overrule the rules.
    const NodeId mated = graph.moves(node)[0].target;
    CHECK(graph.set_exact(mated, Score::cp(0)).empty());
    CHECK(graph.exact(mated) == Score::mated_in(0));
}

TEST_CASE("a table value makes a leaf of a node, and passes upward") {
    const Position root = facts::position("8/8/8/8/8/2k5/1p6/K6R w - - 0 1");
    Graph graph;
    const NodeId node = graph.intern(root);
    graph.add_root(node);
    graph.apply(fact(1, root, facts::move(root, "Ka2"), Score::cp(-500)));
    const NodeId below = graph.moves(node)[0].target;
    const Position position = graph.position(below);
    graph.apply(fact(2, position, facts::move(position, "b1=Q"), Score::cp(400)));
    CHECK(graph.game_value(node) == Score::cp(-400));
    const auto changed = graph.set_exact(below, Score::tablebase(chess::Wdl::cursed_win, 110));
    CHECK(changed == std::vector<NodeId>{std::min(node, below), std::max(node, below)});
    CHECK(graph.exact(below) == Score::tablebase(chess::Wdl::cursed_win, 110));
    CHECK(graph.game_value(below) == Score::tablebase(chess::Wdl::cursed_win, 110));
    CHECK(graph.game_value_of(node, 0) == Score::tablebase(chess::Wdl::blessed_loss, 110));
    CHECK(graph.game_value(node) == Score::cp(0));
    CHECK(graph.moves(below).size() == 1); // the fact is kept
    CHECK(graph.verify().empty());
    graph.set_exact(below, Score::tablebase(chess::Wdl::win, 20));
    CHECK(graph.game_value(node) == Score::tablebase(chess::Wdl::loss, 21));
    CHECK(graph.verify().empty());
}

TEST_CASE("deeper replaces shallower, never the reverse; of equals the newest counts") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    std::vector<Evaluation> all = {
        fact(1, root, e4, Score::cp(10), 12), fact(2, root, e4, Score::cp(20), 14),
        fact(3, root, e4, Score::cp(30), 14), fact(4, root, e4, Score::cp(40), 13),
        fact(5, root, e4, Score::cp(50), 14)};
    all[1].at = 300; // the newest of depth 14, with id 2 …
    all[2].at = 300; // … and 3, which therefore wins
    all[4].at = 200;
    std::sort(all.begin(), all.end(),
              [](const Evaluation& a, const Evaluation& b) { return a.id < b.id; });
    std::size_t orders = 0;
    do {
        Graph graph;
        for (const Evaluation& one : all) {
            graph.apply(one);
        }
        const NodeId node = graph.find(root.packed()).value();
        REQUIRE(graph.moves(node).size() == 1);
        REQUIRE(graph.moves(node)[0].engine_score == Score::cp(30));
        REQUIRE(analysis::EvaluationId{graph.moves(node)[0].evaluation} ==
                analysis::EvaluationId{3});
        REQUIRE(graph.moves(node)[0].effort ==
                analysis::effort({analysis::Limit::Kind::depth, 14}));
        REQUIRE(graph.game_value(node) == Score::cp(30));
        ++orders;
    } while (
        std::next_permutation(all.begin(), all.end(), [](const Evaluation& a, const Evaluation& b) {
            return a.id < b.id;
        }));
    CHECK(orders == 120);
    // Limits that differ by one node differ, too.
    Evaluation more = fact(1, root, e4, Score::cp(1));
    more.question.limit = {analysis::Limit::Kind::nodes, 50'000'001};
    Evaluation less = fact(2, root, e4, Score::cp(2));
    less.question.limit = {analysis::Limit::Kind::nodes, 50'000'000};
    Graph graph;
    graph.apply(more);
    CHECK(graph.apply(less).empty());
}

TEST_CASE("what is no exact score of a legal, allowed move changes nothing") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    const Evaluation good = fact(1, root, e4, Score::cp(10));
    Graph graph;
    const auto useless = [&](auto spoil) {
        Evaluation bad = good;
        spoil(bad);
        CHECK(graph.apply(bad).empty());
        CHECK(graph.move_count() == 0);
    };
    useless([](Evaluation& e) { e.move.reset(); });
    useless([](Evaluation& e) { e.score.reset(); });
    useless([](Evaluation& e) { e.bound = Bound::lower; });
    useless([](Evaluation& e) { e.bound = Bound::upper; });
    useless([&](Evaluation& e) { e.question.excluded = {e4}; });
    useless([](Evaluation& e) { e.move = Move::normal(chess::Square{0}, chess::Square{63}); });
    useless([](Evaluation& e) { e.question.position.bytes.fill(0xff); });
    CHECK(graph.apply(good).size() == 1);
    CHECK(graph.move_count() == 1);
    CHECK(graph.apply(good).empty()); // once more
}

TEST_CASE("variations follow the best move, and end where they should") {
    Graph graph;
    const NodeId start = graph.intern(Position::initial());
    graph.add_root(start);
    play(graph, "1. e4 e5 2. Nf3", {30, -25, 40});
    play(graph, "1. d4 d5", {30, -20});
    const NodeId line[] = {start};
    // 1. e4 leads to 40, 1. d4 to 20.
    const auto expected = chess::parse_line(Position::initial(), "1. e4 e5 2. Nf3").value();
    CHECK(analysis::idea_pv(graph, start) == expected);
    CHECK(analysis::alpha_pv(graph, line) == expected);
    CHECK(analysis::idea_pv(graph, start, 2).size() == 2);
    CHECK(analysis::alpha_pv(graph, line, 2).size() == 2);

    Graph shuffle;
    const NodeId root = shuffle.intern(Position::initial());
    shuffle.add_root(root);
    play(shuffle, "1. Nf3 Nf6 2. Ng1 Ng8", {20, -20, -40, -19});
    const NodeId alone[] = {root};
    const auto round_trip = chess::parse_line(Position::initial(), "1. Nf3 Nf6 2. Ng1 Ng8").value();
    CHECK(analysis::alpha_pv(shuffle, alone) == round_trip); // the repetition ends it
    CHECK(analysis::idea_pv(shuffle, root) == round_trip);

    // Equal values: the larger effort, then the smaller move.
    Graph tie;
    const Position position = Position::initial();
    const Move a3 = facts::move(position, "a3");
    const Move b3 = facts::move(position, "b3");
    tie.apply(fact(1, position, b3, Score::cp(5), 10));
    tie.apply(fact(2, position, a3, Score::cp(5), 10));
    CHECK(analysis::idea_pv(tie, NodeId{0}) == std::vector<Move>{std::min(a3, b3)});
    tie.apply(fact(3, position, std::max(a3, b3), Score::cp(5), 11));
    CHECK(analysis::idea_pv(tie, NodeId{0}) == std::vector<Move>{std::max(a3, b3)});
}
