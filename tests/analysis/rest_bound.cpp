// rest_bound against its definition, which looks at every fact ever applied.
#include "facts.hpp"

#include "analysis/graph.hpp"
#include "test.hpp"

using analysis::Evaluation;
using analysis::Graph;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;
using facts::fact;

namespace {

std::optional<int> defined(const std::vector<Evaluation>& all, const Position& position,
                           double effort, const std::vector<Move>& ignored) {
    std::map<Move, double> scored;
    for (const Evaluation& one : all) {
        double& best = scored.try_emplace(*one.move, -1.0).first->second;
        best = std::max(best, analysis::effort(one.question.limit));
    }
    std::optional<int> lowest;
    for (const Evaluation& one : all) {
        const auto& excluded = one.question.excluded;
        const bool usable =
            analysis::effort(one.question.limit) >= effort &&
            excluded.size() + 1 < position.legal_moves().size() &&
            std::all_of(excluded.begin(), excluded.end(), [&](Move move) {
                return std::find(ignored.begin(), ignored.end(), move) != ignored.end() ||
                       (scored.contains(move) && scored[move] >= effort);
            });
        if (usable && (!lowest || one.score->rank() < *lowest)) {
            lowest = one.score->rank();
        }
    }
    return lowest;
}

// Of the largest search that is twice as large as the move's own and chose another one, with the
// move to choose from: the lowest score.
std::optional<int> defined_ceiling(const std::vector<Evaluation>& all, Move move) {
    const auto effort_of = [](const Evaluation& one) {
        return analysis::effort(one.question.limit);
    };
    double own = 0;
    for (const Evaluation& one : all) {
        own = one.move == move ? std::max(own, effort_of(one)) : own;
    }
    std::optional<std::pair<double, int>> best; // effort, lower is better
    for (const Evaluation& one : all) {
        const bool free = !std::ranges::binary_search(one.question.excluded, move);
        const std::pair found{-effort_of(one), one.score->rank()};
        if (free && effort_of(one) >= own + 0.99 && (!best || found < *best)) {
            best = found;
        }
    }
    return best ? std::optional{best->second} : std::nullopt;
}

} // namespace

TEST_CASE("rest_bound and ceiling_of equal their definitions over random facts, in any order") {
    constexpr std::uint64_t seed = 20'240'631;
    std::cout << "rest_bound: seed " << seed << '\n';
    model::Random random{seed};
    const Position positions[] = {
        Position::initial(), facts::position("8/8/8/4k3/8/8/8/R3K3 b - - 0 1"),
        facts::position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")};
    std::size_t known = 0;
    std::size_t unknown = 0;
    std::size_t ceilings = 0;
    for (std::size_t round = 0; round < model::tries(1'500); ++round) {
        const Position& position = positions[round % 3];
        std::vector<Move> moves;
        for (const Move move : position.legal_moves()) {
            moves.push_back(move);
        }
        if (round % 2 == 0) {
            moves.erase(moves.begin() + 5, moves.end()); // many facts about few moves
        }
        std::vector<Evaluation> all;
        const std::size_t count = 1 + model::below(random, 25);
        while (all.size() < count) {
            const Move move = moves[model::below(random, moves.size())];
            std::vector<Move> excluded;
            const std::size_t tenth = model::below(random, 10);
            for (const Move other : moves) {
                const bool scored = std::any_of(
                    all.begin(), all.end(), [&](const Evaluation& e) { return e.move == other; });
                if (other != move && model::below(random, 10) < (scored ? tenth : tenth / 6)) {
                    excluded.push_back(other);
                }
            }
            std::sort(excluded.begin(), excluded.end());
            all.push_back(fact(static_cast<std::int64_t>(all.size()) + 1, position, move,
                               Score::cp(static_cast<int>(model::below(random, 30))),
                               8 + model::below(random, 3), excluded));
        }
        std::vector<Evaluation> order = all;
        if (model::below(random, 2) == 0) {
            facts::shuffle(random, order);
        }
        Graph graph;
        for (const Evaluation& one : order) {
            graph.apply(one);
        }
        const NodeId node = graph.find(position.packed()).value();
        INFO("round " << round);
        for (const double effort : {0.0, analysis::effort({analysis::Limit::Kind::depth, 8}),
                                    analysis::effort({analysis::Limit::Kind::depth, 9}),
                                    analysis::effort({analysis::Limit::Kind::depth, 10}), 99.0}) {
            std::vector<Move> ignored;
            for (const Move move : moves) {
                if (model::below(random, 8) == 0) {
                    ignored.push_back(move);
                }
            }
            const std::optional<Score> bound = graph.rest_bound(node, effort, ignored);
            const std::optional<int> expected = defined(all, position, effort, ignored);
            REQUIRE((bound ? std::optional{bound->rank()} : std::nullopt) == expected);
            ++(expected ? known : unknown);
        }
        for (std::size_t i = 0; i < graph.moves(node).size(); ++i) {
            const std::optional<Score> ceiling = graph.ceiling_of(node, i);
            const std::optional<int> expected = defined_ceiling(all, graph.moves(node)[i].move);
            REQUIRE((ceiling ? std::optional{ceiling->rank()} : std::nullopt) == expected);
            ceilings += expected ? 1 : 0;
        }
    }
    CHECK(known > 1'000);
    CHECK(unknown > 1'000);
    CHECK(ceilings > 1'000);
}

TEST_CASE("a search of one move alone says nothing of the rest") {
    const Position root = Position::initial();
    const Move e4 = facts::move(root, "e4");
    std::vector<Move> others;
    for (const Move move : root.legal_moves()) {
        if (move != e4) {
            others.push_back(move);
        }
    }
    std::sort(others.begin(), others.end());
    Graph graph;
    graph.apply(fact(1, root, e4, Score::cp(20), 10, others));
    CHECK_FALSE(graph.rest_bound(NodeId{0}, 0.0, others).has_value());
    CHECK(graph.game_value(NodeId{0}) == Score::cp(20));
}
