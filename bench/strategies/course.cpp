#include "bench/strategies/course.hpp"

#include "analysis/graph.hpp"
#include "analysis/proof.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <tuple>

namespace adjourn::bench {

namespace {

using analysis::NodeId;

constexpr int deepest = 64; // level at which to stop

Query query_of(const chess::Position& position, const analysis::PlannedQuestion& question) {
    assert(question.limit.kind == analysis::Limit::Kind::nodes);
    Query query{position, question.limit.amount, {}};
    if (!question.excluded.empty()) {
        for (const chess::Move move : position.legal_moves()) {
            if (!std::ranges::binary_search(question.excluded, move)) {
                query.only.push_back(move);
            }
        }
        std::ranges::sort(query.only);
    }
    return query;
}

class Driver {
public:
    Driver(const CourseRequest& request, Conversation& engine)
        : request_{request}, engine_{engine}, root_{graph_.intern(request.root)} {
        graph_.add_root(root_);
    }

    Course run() {
        int refine = 1;
        while (spent_ < request_.budget && refine <= deepest) {
            const analysis::Plan plan = wanted(refine);
            if (plan.questions.empty()) {
                verified_ = plan.followed;
                ++refine;
                continue;
            }
            const analysis::PlannedQuestion& question = plan.questions.front();
            const std::size_t cost = evaluations(question.limit);
            if (spent_ + cost > request_.budget) {
                break;
            }
            answer(question);
            spent_ += cost;
        }
        course_.finished = refine > deepest;
        course_.proven = analysis::Proof{graph_}.of(root_) != analysis::Proven::no;
        course_.choice = choice();
        const std::array<NodeId, 1> line{root_};
        const analysis::LineValues values{graph_, line,
                                          anchored() ? analysis::court_of(graph_, line) : nullptr};
        const auto moves = graph_.moves(root_);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            course_.values.emplace(moves[i].move, values.alpha_of(i).value);
        }
        course_.estimates = root_estimates(graph_, root_);
        return std::move(course_);
    }

private:
    // What a search costs, in evaluations of the request's limit.
    std::size_t evaluations(const analysis::Limit& limit) const {
        const std::uint64_t one = request_.limit.amount;
        return (limit.amount + one - 1) / one;
    }

    analysis::Plan wanted(int refine) const {
        const std::size_t left = request_.budget - spent_;
        const analysis::PlanRequest request{graph_,
                                            root_,
                                            request_.limit,
                                            request_.parameters,
                                            refine,
                                            directives_,
                                            [this](NodeId node, const analysis::Limit& limit,
                                                   const std::vector<chess::Move>& excluded) {
                                                return dead_.contains(
                                                           {node, limit.amount, excluded})
                                                           ? analysis::QuestionState::dead
                                                           : analysis::QuestionState::open;
                                            },
                                            1,
                                            nullptr,
                                            {},
                                            left * request_.limit.amount,
                                            false,
                                            spent_ * request_.limit.amount};
        return analysis::make_plan(request);
    }

    void answer(const analysis::PlannedQuestion& question) {
        const chess::Position position = graph_.position(question.node);
        ++asked_;
        const Found found = engine_.ask(query_of(position, question));
        if (found.lines.empty()) {
            dead_.insert({question.node, question.limit.amount, question.excluded});
            return;
        }
        analysis::Evaluation fact;
        fact.at = static_cast<analysis::UnixMs>(asked_);
        fact.id = analysis::EvaluationId{fact.at};
        fact.question = {position.packed(), analysis::EngineId{1}, question.limit,
                         question.excluded};
        fact.depth = found.depth;
        fact.nodes = found.nodes;
        fact.time_ms = static_cast<std::uint32_t>(found.ms);
        fact.move = found.lines.front().move;
        fact.score = found.lines.front().score;
        fact.pv = {*fact.move};
        graph_.apply(fact);
        course_.facts.push_back(std::move(fact));
    }

    bool anchored() const { return analysis::strategy_of(request_.parameters.kind).has_anchor(); }

    std::optional<chess::Move> choice() const {
        const auto answer =
            anchored() ? analysis::anchored_answer(graph_, root_, verified_, request_.limit)
                       : analysis::root_answer(graph_, root_, verified_);
        if (answer && anchored() && request_.margin > 0) {
            return led_by_margin(answer->move);
        }
        return answer ? std::optional{answer->move} : std::nullopt;
    }

    // By the rule that a court replaced: a move that was searched below leads the long search's in
    // alpha by the margin, and rests on an eighth of its nodes.
    chess::Move led_by_margin(chess::Move anchor) const {
        constexpr double eighth = 3.01; // log2, limits are rounded
        const std::array<NodeId, 1> line{root_};
        const analysis::LineValues values{graph_, line};
        const auto moves = graph_.moves(root_);
        const auto at = static_cast<std::size_t>(
            std::ranges::find(moves, anchor, &analysis::GraphMove::move) - moves.begin());
        std::size_t best = at;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto replies = graph_.moves(moves[i].target);
            const bool weighty =
                std::ranges::any_of(replies, [&](const analysis::GraphMove& reply) {
                    return reply.effort >= moves[at].effort - eighth;
                });
            const auto order = [&](std::size_t k) {
                return analysis::move_order(graph_, moves[k], values.alpha_of(k).value);
            };
            if (i != at && weighty && std::ranges::binary_search(verified_, moves[i].move) &&
                values.alpha_of(i).value.rank() >=
                    values.alpha_of(at).value.rank() + request_.margin &&
                (best == at || order(i) < order(best))) {
                best = i;
            }
        }
        return moves[best].move;
    }

    const CourseRequest& request_;
    Conversation& engine_;
    analysis::Graph graph_;
    NodeId root_;
    analysis::Directives directives_;
    std::set<std::tuple<NodeId, std::uint64_t, std::vector<chess::Move>>> dead_;
    std::size_t asked_ = 0; // searches
    std::size_t spent_ = 0; // evaluations
    std::vector<chess::Move> verified_;
    Course course_;
};

} // namespace

std::map<chess::Move, analysis::Estimate> root_estimates(const analysis::Graph& graph,
                                                         analysis::NodeId root) {
    const analysis::Estimates estimated =
        analysis::estimates(graph, root, analysis::error_model(analysis::measure_noise(graph)));
    std::map<chess::Move, analysis::Estimate> result;
    const auto moves = graph.moves(root);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (estimated.moves[i]) {
            result.emplace(moves[i].move, *estimated.moves[i]);
        }
    }
    return result;
}

Course follow_course(const CourseRequest& request, Conversation& engine) {
    assert(request.budget > 0);
    return Driver{request, engine}.run();
}

} // namespace adjourn::bench
