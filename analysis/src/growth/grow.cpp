#include "grow.hpp"

#include "analysis/noise.hpp"
#include "base/contains.hpp"
#include "walk.hpp"
#include "windows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace adjourn::analysis {

namespace {

// Whether the move is no part of the game for this analysis, so that no line leads through it.
bool left_out(const PlanRequest& request, NodeId node, const chess::Position& position,
              chess::Move move) {
    const auto among = [&](const std::vector<chess::Move>& moves) {
        return std::find(moves.begin(), moves.end(), move) != moves.end();
    };
    const NodeDirectives* directives = directives_at(request, node);
    return (directives != nullptr && among(directives->excluded)) ||
           among(request.graph.excluded_at(position.packed()));
}

std::optional<Approach> approach_to(const PlanRequest& request, NodeId node) {
    Approach approach;
    chess::Position position = request.graph.position(request.root);
    for (const chess::Move move : request.directives.at(node).line) {
        const auto at = request.graph.find(position.packed());
        if (!at || !position.is_legal(move) || left_out(request, *at, position, move)) {
            return std::nullopt;
        }
        approach.moves.push_back(move);
        approach.nodes.push_back(*at);
        position.play(move);
    }
    const bool arrives = request.graph.find(position.packed()) == node;
    return arrives && !approach.moves.empty() ? std::optional{std::move(approach)} : std::nullopt;
}

bool same_question(const PlannedQuestion& a, const PlannedQuestion& b) {
    return a.node == b.node && a.limit == b.limit && a.excluded == b.excluded;
}

// Positions where people asked to deepen are grown as roots of their own, so that it means
// something wherever they are. Their questions come before those of the level, after what is urgent
// and what leads there.
void add_deepened(const PlanRequest& request, const Rule& rule, Plan& plan) {
    std::vector<NodeId> nodes;
    for (const auto& [node, directives] : request.directives) {
        if (directives.deepen > 0 && node != request.root && !request.graph.exact(node)) {
            nodes.push_back(node);
        }
    }
    std::sort(nodes.begin(), nodes.end());
    std::vector<PlannedQuestion> deep;
    std::vector<NodeId> leading;
    for (const NodeId node : nodes) {
        auto approach = approach_to(request, node);
        if (!approach) {
            continue;
        }
        leading.insert(leading.end(), approach->nodes.begin(), approach->nodes.end());
        PlanRequest below = request;
        below.root = node;
        const auto below_rule = rule.of_plies(request.directives.at(node).deepen);
        Plan more = Walk{below, *below_rule, std::move(*approach)}.run();
        std::move(more.questions.begin(), more.questions.end(), std::back_inserter(deep));
        plan.pending += more.pending;
        plan.complete = plan.complete && more.complete;
        if (!plan.unanswered) {
            plan.unanswered = std::move(more.unanswered);
        }
        plan.visited.insert(plan.visited.end(), more.visited.begin(), more.visited.end());
    }
    if (leading.empty()) {
        return;
    }
    const auto level = std::stable_partition(
        plan.questions.begin(), plan.questions.end(), [&](const PlannedQuestion& question) {
            return question.urgent || base::contains(leading, question.node);
        });
    std::vector<PlannedQuestion> questions{std::make_move_iterator(plan.questions.begin()),
                                           std::make_move_iterator(level)};
    const auto add = [&](PlannedQuestion& question) {
        if (std::none_of(questions.begin(), questions.end(), [&](const PlannedQuestion& other) {
                return same_question(other, question);
            })) {
            questions.push_back(std::move(question));
        }
    };
    std::for_each(deep.begin(), deep.end(), add);
    std::for_each(level, plan.questions.end(), add);
    if (questions.size() > request.max_questions) {
        questions.erase(questions.begin() + static_cast<std::ptrdiff_t>(request.max_questions),
                        questions.end());
        plan.complete = false;
    }
    plan.questions = std::move(questions);
    std::sort(plan.visited.begin(), plan.visited.end());
    plan.visited.erase(std::unique(plan.visited.begin(), plan.visited.end()), plan.visited.end());
    plan.evaluations = evaluations_at(request, plan.visited);
}

} // namespace

const NodeDirectives* directives_at(const PlanRequest& request, NodeId node) {
    const auto found = request.directives.find(node);
    return found == request.directives.end() ? nullptr : &found->second;
}

std::span<const chess::Move> seeds_at(const PlanRequest& request, NodeId node) {
    if (request.seeds == nullptr) {
        return {};
    }
    const auto found = request.seeds->find(node);
    return found == request.seeds->end() ? std::span<const chess::Move>{} : found->second;
}

PlanRequest with_floor(const PlanRequest& request) {
    PlanRequest result = request;
    if (request.parameters.floor_sigma > 0) {
        const double by_noise =
            request.parameters.floor_sigma * reckoned_sigma(measure_few(request.graph));
        result.parameters.floor =
            std::max(request.parameters.floor, static_cast<int>(std::ceil(by_noise)));
    }
    return result;
}

Plan grown_by(const Rule& rule, const PlanRequest& request) {
    Plan plan = Walk{request, rule}.run();
    add_deepened(request, rule, plan);
    return plan;
}

Plan grown_by_windows(double narrowing, const PlanRequest& request) {
    const PlanRequest adapted = with_floor(request);
    return grown_by(Windows{adapted.parameters, narrowing, request.refine}, adapted);
}

} // namespace adjourn::analysis
