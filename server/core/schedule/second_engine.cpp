#include "core/schedule/second_engine.hpp"

#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace adjourn::server {

namespace {

constexpr double chances_apart = 10; // percent
constexpr int decided_from = 1'000;  // cp

} // namespace

EngineSlot* second_engine_of(const RunView& run, const Engines& engines) {
    EngineSlot* named = engines.named(run.spec.second_engine);
    return named != nullptr && named->identity && named->id != run.record.engine ? named : nullptr;
}

std::vector<SecondQuestion> second_questions(const RunView& run, analysis::NodeId node,
                                             const analysis::Verdict& verdict) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::Carrier> scores;
    for (const auto& move : {std::optional{verdict.best}, verdict.rival}) {
        if (move) {
            analysis::Carrier& made = scores.emplace_back();
            made.node = node;
            made.move = move;
        }
    }
    std::ranges::copy(verdict.carriers, std::back_inserter(scores));
    std::vector<SecondQuestion> questions;
    for (analysis::Carrier& about : scores) {
        auto question = analysis::question_about(graph, about, run.record.limit,
                                                 excluded_moves(run, about.node));
        const auto same = [&](const SecondQuestion& other) {
            return other.question.node == question->node &&
                   other.question.excluded == question->excluded;
        };
        if (!question || graph.exact(question->node) || std::ranges::any_of(questions, same)) {
            continue;
        }
        const auto moves = graph.moves(about.node);
        const auto scored = about.move
                                ? std::ranges::find(moves, *about.move, &analysis::GraphMove::move)
                                : moves.end();
        analysis::UnixMs at = 0;
        if (scored != moves.end()) {
            about.score = scored->engine_score;
            at = scored->at;
        }
        const chess::Position position = graph.position(question->node);
        questions.push_back({std::move(about), at, std::move(*question), position});
    }
    return questions;
}

std::optional<analysis::Evaluation>
second_answer(const storage::Store& store, analysis::EngineId engine, const SecondQuestion& asked) {
    const double least = analysis::least_effort(asked.question.limit);
    const auto rank = [](const analysis::Evaluation& fact) {
        return std::tuple{analysis::effort(fact.question.limit), fact.at};
    };
    std::optional<analysis::Evaluation> answer;
    for (analysis::Evaluation& fact : store.evaluations(asked.position.packed())) {
        if (fact.question.engine == engine && usable(fact) &&
            fact.question.excluded == asked.question.excluded &&
            analysis::effort(fact.question.limit) >= least &&
            (!answer || rank(*answer) < rank(fact))) {
            answer = std::move(fact);
        }
    }
    return answer;
}

std::optional<SecondOpinion> disagreement(const SecondQuestion& asked,
                                          const analysis::Evaluation& answer, double noise) {
    const bool of_move = asked.about.move.has_value();
    const chess::Score own = asked.about.score;
    const chess::Score second = of_move ? answer.score->backed_up() : *answer.score;
    const auto cp = [](chess::Score score) {
        return std::clamp(score.rank(), -decided_from, decided_from);
    };
    const double chances = chess::win_percent(second) - chess::win_percent(own);
    const bool apart = std::abs(cp(second) - cp(own)) > noise || std::abs(chances) >= chances_apart;
    if (!apart || (!of_move && second < own)) { // of moves not asked: none is worth more
        return std::nullopt;
    }
    const bool white = (asked.position.turn() == chess::Color::white) != of_move;
    return white ? SecondOpinion{own, second, chances} : SecondOpinion{-own, -second, -chances};
}

} // namespace adjourn::server
