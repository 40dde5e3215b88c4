// A tree that a made-up engine grows by a strategy: what tests of strategies need.
#pragma once

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "evaluation.hpp"
#include "facts.hpp"
#include "test.hpp"

namespace adjourn::analysis::testing {

constexpr EngineId engine_id{1};

// Of strategies whose moves cost something: small trees do. `unit`: what a centipawn is here.
inline void make_dearer(StrategyParameters& parameters, double factor, double unit = 1) {
    const auto numbers = strategy_of(parameters.kind).numbers();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        parameters.own[i] *= numbers[i].name == "per_ply"  ? factor
                             : numbers[i].name == "per_cp" ? factor / unit
                                                           : 1;
    }
}

// Whether a strategy compares moves near the best one; `prove` looks for one that wins.
inline bool compares(const std::string& kind) {
    return kind != "prove";
}

struct World {
    Graph graph;
    chess::Position root = chess::Position::initial();
    Limit limit{Limit::Kind::depth, 8};
    StrategyParameters parameters;
    Directives directives;
    Seeds seeds;
    hash_engine::Evaluation oracle{42};
    std::vector<PlannedQuestion> asked;
    std::vector<Evaluation> answered; // in order
    std::set<std::pair<NodeId, std::vector<chess::Move>>> dead;
    std::int64_t next_id = 1;
    int noise = 0;                  // cp, of the engine's scores
    bool noise_by_exclusion = true; // another one with other moves excluded
    std::size_t most_questions = 64;
    std::vector<NodeId> before; // repeated before the root

    World() {
        parameters.move_distance = 20;
        graph.add_root(root_node());
    }

    NodeId root_node() { return graph.intern(root); }
    std::size_t expanded() { return graph.count_below(root_node(), 1'000'000); } // positions

    Plan plan(int refine) {
        return make_plan(
            {graph, root_node(), limit, parameters, refine, directives,
             [&](NodeId node, const Limit&, const std::vector<chess::Move>& excluded) {
                 return dead.contains({node, excluded}) ? QuestionState::dead : QuestionState::open;
             },
             most_questions, &seeds, before});
    }

    // What the engine says of a move, alone.
    chess::Score opinion(const chess::Position& position, chess::Move move) const {
        return oracle.search(position, {move}, limit.amount, 0).front().score;
    }

    Evaluation answer(NodeId node, const std::vector<chess::Move>& excluded) {
        return answer(node, limit, excluded);
    }
    Evaluation answer(NodeId node, const Limit& asked_limit,
                      const std::vector<chess::Move>& excluded) {
        const chess::Position position = graph.position(node);
        std::vector<chess::Move> allowed;
        for (const chess::Move move : position.legal_moves()) {
            if (std::find(excluded.begin(), excluded.end(), move) == excluded.end()) {
                allowed.push_back(move);
            }
        }
        REQUIRE_FALSE(allowed.empty());
        const hash_engine::Opinion best =
            oracle
                .search(position, allowed,
                        asked_limit.amount + (noise_by_exclusion ? excluded.size() : 0), noise)
                .front();
        Evaluation fact;
        fact.id = EvaluationId{next_id++};
        fact.question = {position.packed(), engine_id, asked_limit, excluded};
        fact.move = best.move;
        fact.score = best.score;
        fact.pv = {best.move};
        fact.depth = static_cast<int>(asked_limit.amount);
        fact.at = next_id;
        return fact;
    }

    // What a search of that size has said of the position after a line, without those moves.
    void tell(const char* after, const char* san, chess::Score score, const Limit& of,
              const std::vector<const char*>& without = {}) {
        const chess::Position position = graph.position(node(after));
        Evaluation fact = facts::fact(next_id++, position, facts::move(position, san), score, 1,
                                      facts::moves(position, without));
        fact.question.limit = of;
        graph.apply(fact);
    }

    // Answers until the depth is settled. Returns the number of questions.
    std::size_t grow(int refine) {
        std::size_t count = 0;
        for (auto now = plan(refine); !now.settled(); now = plan(refine)) {
            for (PlannedQuestion& question : now.questions) {
                answered.push_back(answer(question.node, question.limit, question.excluded));
                graph.apply(answered.back());
                asked.push_back(std::move(question));
                REQUIRE(++count < 50'000);
            }
        }
        return count;
    }

    std::vector<chess::Move> line(const char* text) const { return *chess::parse_line(root, text); }
    NodeId node(const char* text) {
        chess::Position position = root;
        for (const chess::Move move : line(text)) {
            position.play(move);
        }
        return graph.intern(position);
    }
    bool knows(NodeId node, chess::Move move) const {
        const auto moves = graph.moves(node);
        return std::any_of(moves.begin(), moves.end(),
                           [&](const GraphMove& m) { return m.move == move; });
    }
};

} // namespace adjourn::analysis::testing
