#include "conspiring.hpp"

#include "questions.hpp"
#include "walk.hpp"

#include "analysis/anchored.hpp"
#include "base/contains.hpp"

#include <algorithm>
#include <array>

namespace adjourn::analysis {

namespace {

// Of one plan: a rival each, so that many processes have something to do.
constexpr std::size_t most_rivals = 8;
constexpr VerdictLimits quick{.most = 25, .positions = 4'000};

} // namespace

double cost_of_level(int level) {
    return 1.5 * level;
}

std::optional<PlannedQuestion> question_about(const Graph& graph, const Carrier& carrier,
                                              const Limit& limit,
                                              std::span<const chess::Move> excluded) {
    PlannedQuestion question{QuestionKind::first, carrier.node, carrier.line, limit, {}, false};
    if (!carrier.move) { // the best of what was not asked
        question.kind = QuestionKind::alternative;
        question.excluded.assign(excluded.begin(), excluded.end());
        for (const GraphMove& move : graph.moves(carrier.node)) {
            if (move.effort >= effort(limit)) {
                question.excluded.push_back(move.move);
            }
        }
        std::ranges::sort(question.excluded);
        question.excluded.erase(std::unique(question.excluded.begin(), question.excluded.end()),
                                question.excluded.end());
        const std::size_t choices = graph.position(carrier.node).legal_moves().size();
        return question.excluded.size() < choices ? std::optional{question} : std::nullopt;
    }
    const auto moves = graph.moves(carrier.node);
    const auto move = std::ranges::find(moves, *carrier.move, &GraphMove::move);
    if (move == moves.end() || graph.exact(move->target)) {
        return std::nullopt;
    }
    question.node = move->target;
    question.line.push_back(*carrier.move);
    if (graph.expanded(move->target)) { // its word outweighs what is known below
        question.limit = limit_of(limit.kind, std::max(move->effort, effort(limit)));
    }
    return question;
}

std::optional<Verdict> Conspiring::verdict_without(const std::vector<chess::Move>& rivals) const {
    std::vector<chess::Move> excluded = excluded_by(directives_at(request_, request_.root));
    std::vector<NodeId> line = request_.before;
    line.push_back(request_.root);
    const auto answer =
        anchored_answer(graph_, line, {}, request_.limit, margin_one_hash, excluded);
    if (!answer) {
        return std::nullopt;
    }
    excluded.insert(excluded.end(), rivals.begin(), rivals.end());
    return verdict(graph_, line, answer->move, 0, leaf_noise(std::nullopt, request_.limit),
                   excluded, quick);
}

void Conspiring::ask(const Verdict& verdict) {
    for (const Carrier& carrier : verdict.carriers) {
        if (carrier.node == request_.root && !carrier.move) {
            continue; // the root's other moves are asked there
        }
        auto question = question_about(graph_, carrier, request_.limit,
                                       excluded_by(directives_at(request_, carrier.node)));
        if (!question || std::ranges::any_of(plan_.questions, [&](const PlannedQuestion& other) {
                return other.node == question->node && other.limit == question->limit &&
                       other.excluded == question->excluded;
            })) {
            continue;
        }
        plan_.visited.push_back(carrier.node);
        switch (request_.state(question->node, question->limit, question->excluded)) {
        case QuestionState::open:
            if (plan_.questions.size() < request_.max_questions) {
                plan_.questions.push_back(std::move(*question));
            } else {
                plan_.complete = false;
            }
            break;
        case QuestionState::pending: ++plan_.pending; break;
        case QuestionState::failed:
            plan_.unanswered = plan_.unanswered ? plan_.unanswered : std::move(question);
            break;
        case QuestionState::dead: break;
        }
    }
}

Plan Conspiring::run() {
    if (!plan_.asks_nothing() || graph_.exact(request_.root)) {
        return std::move(plan_);
    }
    std::vector<chess::Move> rivals;
    while (rivals.size() < most_rivals) {
        const auto found = verdict_without(rivals);
        if (!found || found->cost >= cost_of_level(request_.refine)) {
            break;
        }
        ask(*found);
        if (!found->rival) {
            break;
        }
        rivals.push_back(*found->rival);
    }
    std::ranges::sort(plan_.visited);
    plan_.visited.erase(std::unique(plan_.visited.begin(), plan_.visited.end()),
                        plan_.visited.end());
    plan_.evaluations = evaluations_at(request_, plan_.visited);
    return std::move(plan_);
}

} // namespace adjourn::analysis
