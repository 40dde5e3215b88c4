// A graph that was read in one go is the graph of the same facts applied one by one, and threads
// that read it at once get what one thread gets.
#include "facts.hpp"

#include "analysis/estimate.hpp"
#include "analysis/graph.hpp"
#include "analysis/verdict.hpp"
#include "test.hpp"

using analysis::Basis;
using analysis::Evaluation;
using analysis::Graph;
using analysis::GraphMove;
using analysis::NodeId;
using chess::Position;
using chess::Score;

namespace {

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

Graph read(const std::vector<Evaluation>& made, const Position& root, const Basis& basis,
           const std::shared_ptr<const analysis::Tables>& tables) {
    analysis::GraphReader reader{tables, basis};
    for (const Evaluation& one : made) {
        reader.take(one);
    }
    const Position roots[] = {root};
    return reader.finish(roots);
}

// The position's parents as the graph has them, by what they are.
std::set<std::pair<chess::PackedPosition, std::size_t>> parents_of(const Graph& graph,
                                                                   NodeId node) {
    std::set<std::pair<chess::PackedPosition, std::size_t>> result;
    for (const auto& [parent, move] : graph.parents(node)) {
        result.emplace(graph.position(parent).packed(), move);
    }
    return result;
}

void require_equal(const Graph& a, const Graph& b) {
    REQUIRE(b.verify().empty());
    REQUIRE(a.node_count() == b.node_count());
    REQUIRE(a.move_count() == b.move_count());
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
Basis random_basis(model::Random& random, const std::vector<Evaluation>& made) {
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
const std::vector<Position>& starts() {
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

// What has no effect, among what has.
void add_useless(model::Random& random, std::vector<Evaluation>& made) {
    for (std::size_t i = 0; i < 10; ++i) {
        Evaluation bad = made[model::below(random, made.size())];
        switch (model::below(random, 4)) {
        case 0: bad.move.reset(); break;
        case 1: bad.bound = analysis::Bound::lower; break;
        case 2: bad.move = chess::Move::normal(chess::Square{0}, chess::Square{63}); break;
        default: bad.question.position.bytes.fill(0xff);
        }
        made.insert(made.begin() + static_cast<std::ptrdiff_t>(model::below(random, made.size())),
                    bad);
    }
}

// What is asked of one node: its position, values, variation, estimates, and what a verdict costs.
using Answer =
    std::tuple<Position, std::optional<Score>, std::vector<Score>, std::vector<chess::Move>,
               std::size_t, std::vector<std::optional<analysis::Estimate>>, std::optional<double>>;

// A line that ends there, as long as parents lead back without end.
std::vector<NodeId> line_to(const Graph& graph, NodeId node) {
    std::vector<NodeId> line{node};
    while (line.size() < 6) {
        const auto parents = graph.parents(line.front());
        if (parents.empty()) {
            break;
        }
        line.insert(line.begin(), parents.front().node);
    }
    return line;
}

Answer ask(const Graph& graph, NodeId node) {
    const auto line = line_to(graph, node);
    const analysis::LineValues values{graph, line};
    std::vector<Score> moves;
    for (std::size_t i = 0; i < graph.moves(node).size(); ++i) {
        moves.push_back(values.alpha_of(i).value);
    }
    const auto variation = analysis::alpha_pv(graph, line);
    auto estimates = analysis::estimates(graph, node, {}, 50);
    estimates.moves.push_back(estimates.position);
    std::optional<double> cost;
    if (!variation.empty() && static_cast<std::uint32_t>(node) % 8 == 0) { // it takes long
        const auto verdict = analysis::verdict(graph, line, variation.front(), 0, {}, {}, {5, 20});
        cost = verdict ? std::optional{verdict->cost} : std::nullopt;
    }
    return {graph.position(node),         values.alpha(),  moves, variation,
            graph.count_below(node, 100), estimates.moves, cost};
}

// Of all nodes, from `first` on and then from the beginning.
std::vector<Answer> ask_all(const Graph& graph, std::size_t first) {
    std::vector<Answer> answers;
    for (std::size_t n = 0; n < graph.node_count(); ++n) {
        answers.push_back(
            ask(graph, NodeId{static_cast<std::uint32_t>((first + n) % graph.node_count())}));
    }
    const std::size_t beginning = (graph.node_count() - first) % graph.node_count();
    std::rotate(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(beginning),
                answers.end());
    return answers;
}

} // namespace

TEST_CASE("a graph read in one go equals one that was given the facts one by one") {
    constexpr std::uint64_t seed = 20'261'123;
    std::cout << "graph reader: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(60); ++round) {
        INFO("round " << round);
        RandomCase one{random, round};
        add_useless(random, one.made);
        if (round % 3 != 0) { // as a store gives them, else in any order
            std::ranges::stable_sort(one.made, {},
                                     [](const Evaluation& fact) { return fact.question.position; });
        }
        one.divide(random, round);
        const auto& [start, made, tables, basis, first] = one;
        Graph expected = facts::build(first, start, basis, tables);
        Graph graph = read(first, start, basis, tables);
        require_equal(expected, graph);
        for (std::size_t i = first.size(); i < made.size(); ++i) {
            const std::size_t changed = expected.apply(made[i]).size();
            REQUIRE(graph.apply(made[i]).size() == changed);
        }
        require_equal(expected, graph);
    }
}

TEST_CASE("a reader that was given nothing makes an empty graph with its roots") {
    const Position roots[] = {Position::initial(), Position::initial(), facts::after("1. e4")};
    Graph graph = analysis::GraphReader{}.finish(roots);
    CHECK(graph.node_count() == 2);
    CHECK(graph.move_count() == 0);
    const NodeId start = graph.find(roots[0].packed()).value();
    graph.remove_root(start); // it was one twice
    CHECK(graph.ply(start) == 0u);
}

TEST_CASE("threads that read one graph at once get what one thread gets") {
    constexpr std::uint64_t seed = 20'261'126;
    std::cout << "several readers: seed " << seed << '\n';
    model::Random random{seed};
    for (std::size_t round = 0; round < model::tries(3); ++round) {
        INFO("round " << round);
        const Position& start = starts()[round % starts().size()];
        // More positions than a graph remembers.
        const auto made = facts::random_facts(random, start, 1'500, facts::any_move);
        const auto tables = round % 2 == 1 ? std::make_shared<const SomeTables>() : nullptr;
        const Graph graph = read(made, start, {}, tables); // remembers no position yet
        CHECK(graph.node_count() > 1'024);
        constexpr std::size_t threads = 4;
        std::vector<std::vector<Answer>> answers(threads);
        {
            std::vector<std::jthread> readers;
            for (std::size_t t = 0; t < threads; ++t) {
                // Two and two ask for the same at the same time.
                const std::size_t first = t / 2 * graph.node_count() / 2;
                readers.emplace_back([&, t, first] { answers[t] = ask_all(graph, first); });
            }
        }
        const auto expected = ask_all(graph, 0);
        for (const auto& of_thread : answers) {
            REQUIRE(of_thread == expected);
        }
    }
}
