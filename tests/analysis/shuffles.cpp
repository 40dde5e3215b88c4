// Real positions in which pieces go to and fro: alpha against line walking over chess positions,
// and the laws of the graph where everything is one large component.
#include "facts.hpp"

#include "analysis/graph.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using analysis::Evaluation;
using analysis::Graph;
using analysis::LineValues;
using analysis::NodeId;
using chess::Move;
using chess::Position;
using chess::Score;

namespace {

// Knows only positions, facts in force and the definition of alpha.
class Walker {
public:
    explicit Walker(const Graph& graph) : graph_{graph} {}

    // At the end of a line that was played.
    int value_after(std::vector<Position> line) {
        history_ = line.size();
        return walk(line);
    }
    Score move_after(std::vector<Position> line, const analysis::GraphMove& move) {
        history_ = line.size();
        return walk_move(line, move);
    }

private:
    int walk(std::vector<Position>& line) const {
        int best = -1'000'000;
        for (const analysis::GraphMove& move : moves(line.back())) {
            best = std::max(best, walk_move(line, move).rank());
        }
        return best;
    }

    Score walk_move(std::vector<Position>& line, const analysis::GraphMove& move) const {
        const Position next = line.back().after(move.move);
        const auto known = std::find(line.begin(), line.end(), next);
        const bool played = known - line.begin() < static_cast<std::ptrdiff_t>(history_);
        if (known != line.end() && (played || !move.trusted)) {
            return Score::cp(0);
        }
        if (next.terminal() == chess::Terminal::checkmate) {
            return Score::mate_in(1);
        }
        if (next.terminal() != chess::Terminal::no) {
            return Score::cp(0);
        }
        if (moves(next).empty() || move.trusted) {
            return move.engine_score;
        }
        line.push_back(next);
        const int rank = walk(line);
        line.pop_back();
        return from_rank(rank).backed_up();
    }

    std::span<const analysis::GraphMove> moves(const Position& position) const {
        const auto node = graph_.find(position.packed());
        return node ? graph_.moves(*node) : std::span<const analysis::GraphMove>{};
    }

    static Score from_rank(int rank) {
        if (rank > 250'000) {
            return Score::mate_in(300'000 - rank);
        }
        if (rank < -250'000) {
            return Score::mated_in(300'000 + rank);
        }
        if (rank > Score::max_cp) {
            return Score::tablebase(chess::Wdl::win, 200'000 - rank);
        }
        if (rank < -Score::max_cp) {
            return Score::tablebase(chess::Wdl::loss, 200'000 + rank);
        }
        return Score::cp(rank);
    }

    const Graph& graph_;
    std::size_t history_ = 0;
};

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

TEST_CASE("alpha of king, rook and knight shuffles equals line walking over positions") {
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
        Walker walker{graph};
        REQUIRE(graph.verify().empty());
        // A line along moves of the graph.
        std::vector<Position> line{start};
        std::vector<NodeId> nodes{graph.find(start.packed()).value()};
        LineValues followed{graph, nodes};
        while (true) {
            INFO("round " << round << ": " << line.back().fen());
            const LineValues values{graph, nodes};
            const auto moves = graph.moves(nodes.back());
            if (moves.empty()) {
                break;
            }
            REQUIRE(values.alpha().value().rank() == walker.value_after(line));
            REQUIRE(followed.node() == nodes.back());
            REQUIRE(followed.alpha() == values.alpha());
            history_matters += values.alpha() != graph.game_value(nodes.back()) ? 1 : 0;
            for (std::size_t i = 0; i < moves.size(); ++i) {
                const Position next = line.back().after(moves[i].move);
                const bool repeats = std::find(line.begin(), line.end(), next) != line.end();
                REQUIRE(values.alpha_of(i).repetition == repeats);
                REQUIRE(followed.alpha_of(i).repetition == repeats);
                REQUIRE(followed.alpha_of(i).value == values.alpha_of(i).value);
                REQUIRE(values.alpha_of(i).value.rank() ==
                        walker.move_after(line, moves[i]).rank());
                repetitions += repeats ? 1 : 0;
            }
            const std::size_t choice = model::below(random, moves.size());
            const auto& move = moves[choice];
            followed.follow(choice);
            line.push_back(line.back().after(move.move));
            nodes.push_back(move.target);
            if (line.size() > 8) {
                break;
            }
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
