#include "analysis/growth/grow.hpp"

#include "analysis/estimate.hpp"
#include "analysis/growth.hpp"
#include "analysis/growth/walk.hpp"
#include "analysis/strategy.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>

namespace adjourn::analysis {

using base::Field;

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
    make_set(plan.visited);
    plan.evaluations = evaluations_at(request, plan.visited);
}

bool may_be_answered(QuestionState state) {
    return state == QuestionState::open || state == QuestionState::pending;
}

constexpr std::array strategy_table{
    Field<StrategyParameters>{"move_distance", &StrategyParameters::move_distance, 0, 10'000,
                              "Width of the window at the root, cp"},
    Field<StrategyParameters>{"floor", &StrategyParameters::floor, 0, 10'000,
                              "No window is narrower, cp"},
    Field<StrategyParameters>{
        "floor_sigma", &StrategyParameters::floor_sigma, 0, 10,
        "Nor than so many σ of the engine's noise (25 cp until it is measured); absent = 0", false},
    Field<StrategyParameters>{"refine", &StrategyParameters::refine, 0, 200,
                              "Settle this refined depth and stop; 0 = go on without end"},
    Field<StrategyParameters>{"anchor_threads", &StrategyParameters::anchor_threads, -1, 512,
                              "Threads of the long search that stands beside the tree; absent = 0: "
                              "three quarters of the processes; -1: it is asked for in pieces",
                              false},
};

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

bool put(const PlanRequest& request, PlannedQuestion question, Plan& plan) {
    if (std::ranges::any_of(plan.questions, [&](const PlannedQuestion& other) {
            return same_question(other, question);
        })) {
        return false;
    }
    switch (request.state(question.node, question.limit, question.excluded)) {
    case QuestionState::open:
        if (plan.questions.size() < request.max_questions) {
            plan.questions.push_back(std::move(question));
        } else {
            plan.complete = false;
        }
        break;
    case QuestionState::pending: ++plan.pending; break;
    case QuestionState::failed:
        if (!plan.unanswered) {
            plan.unanswered = std::move(question);
        }
        break;
    case QuestionState::dead: break;
    }
    return true;
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

std::vector<Candidate> candidates_of(const PlanRequest& request, NodeId node,
                                     const NodeDirectives* directives,
                                     std::span<const NodeId> on_line) {
    const Graph& graph = request.graph;
    const double wanted = effort(request.limit);
    std::vector<Candidate> result;
    const auto moves = graph.moves(node);
    result.reserve(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (directives != nullptr && base::contains(directives->excluded, moves[i].move)) {
            continue;
        }
        const bool repeats = moves[i].target == node || base::contains(on_line, moves[i].target);
        const bool included =
            directives != nullptr && base::contains(directives->included, moves[i].move);
        const chess::Score score = graph.game_value_of(node, i);
        result.push_back({moves[i], score, repeats ? 0 : score.rank(), repeats, included,
                          moves[i].effort >= wanted});
    }
    std::sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
        if (a.value != b.value) {
            return a.value > b.value;
        }
        const int a_score = a.move.engine_score.rank();
        const int b_score = b.move.engine_score.rank();
        return a_score != b_score ? a_score > b_score : a.move.move < b.move.move;
    });
    return result;
}

bool has_fresh(std::span<const Candidate> candidates) {
    return std::any_of(candidates.begin(), candidates.end(),
                       [](const Candidate& c) { return c.fresh; });
}

std::unique_ptr<Rule> Windows::of_plies(int plies) const {
    return std::make_unique<Windows>(parameters_, narrowing_, plies);
}

Windows::Windows(const StrategyParameters& parameters, double narrowing, int plies)
    : parameters_{parameters}, narrowing_{narrowing}, plies_{plies}, widths_{parameters.plan},
      narrows_{std::ranges::is_sorted(parameters.plan, std::greater{})} {
    const int distance = parameters.move_distance;
    const int narrowest = std::min(parameters.floor, distance);
    while (parameters.plan.empty() &&
           (widths_.empty() || (narrowing < 1 && widths_.back() > narrowest))) {
        const double narrowed =
            distance * std::pow(narrowing, std::max(0, static_cast<int>(widths_.size()) - 1));
        widths_.push_back(std::max(static_cast<int>(narrowed), narrowest));
    }
}

int Windows::window(const Place& place) const {
    return widths_[std::min(static_cast<std::size_t>(place.ply), widths_.size() - 1)];
}

std::vector<chess::Move> excluded_by(const NodeDirectives* directives) {
    std::vector<chess::Move> result;
    if (directives != nullptr) {
        result = directives->excluded;
        make_set(result);
    }
    return result;
}

std::vector<chess::Move> known_moves(const NodeDirectives* directives,
                                     std::span<const Candidate> candidates) {
    std::vector<chess::Move> result = excluded_by(directives);
    result.reserve(result.size() + candidates.size());
    for (const Candidate& candidate : candidates) {
        if (candidate.fresh) {
            result.push_back(candidate.move.move);
        }
    }
    make_set(result);
    return result;
}

bool Questions::first(const Subject& subject) {
    std::vector<chess::Move> excluded = excluded_by(subject.directives);
    // What has no legal move is exact, and nobody asks for it.
    return (excluded.empty() ||
            excluded.size() < request_.graph.position(subject.node).legal_moves().size()) &&
           may_be_answered(ask(QuestionKind::first, subject, request_.limit, std::move(excluded),
                               subject.need));
}

bool Questions::alternative(const Subject& subject, std::span<const Candidate> candidates,
                            double need) {
    std::vector<chess::Move> known = known_moves(subject.directives, candidates);
    return known.size() < request_.graph.position(subject.node).legal_moves().size() &&
           may_be_answered(
               ask(QuestionKind::alternative, subject, request_.limit, std::move(known), need));
}

void Questions::among(QuestionKind kind, const Subject& subject, std::span<const chess::Move> moves,
                      const Limit& limit) {
    std::vector<chess::Move> others;
    for (const chess::Move other : request_.graph.position(subject.node).legal_moves()) {
        if (!base::contains(moves, other)) {
            others.push_back(other);
        }
    }
    make_set(others);
    ask(kind, subject, limit, std::move(others), subject.need);
}

void Questions::included(const Subject& subject, std::span<const Candidate> candidates) {
    if (subject.directives == nullptr) {
        return;
    }
    for (const chess::Move move : subject.directives->included) {
        if (std::none_of(candidates.begin(), candidates.end(),
                         [&](const Candidate& c) { return c.fresh && c.move.move == move; })) {
            alone(QuestionKind::redo, subject, move, request_.limit);
        }
    }
}

void Questions::seeds(const Subject& subject, std::span<const Candidate> candidates) {
    for (const chess::Move move : seeds_at(request_, subject.node)) {
        const bool left_out =
            subject.directives != nullptr && base::contains(subject.directives->excluded, move);
        if (!left_out && std::none_of(candidates.begin(), candidates.end(),
                                      [&](const Candidate& c) { return c.move.move == move; })) {
            alone(QuestionKind::seed, subject, move, request_.limit);
        }
    }
}

QuestionState Questions::ask(QuestionKind kind, const Subject& subject, const Limit& limit,
                             std::vector<chess::Move> excluded, double need) {
    const QuestionState state = request_.state(subject.node, limit, excluded);
    need = subject.urgent ? -1.0 : need;
    if (state == QuestionState::dead || !remember(subject.node, limit, excluded, state, need)) {
        return state;
    }
    if (state == QuestionState::failed) {
        if (!plan_.unanswered) {
            plan_.unanswered = {
                kind,  subject.node,        {subject.line.begin(), subject.line.end()},
                limit, std::move(excluded), subject.urgent};
        }
        return state;
    }
    if (state == QuestionState::pending) {
        ++plan_.pending;
        return state;
    }
    ranked_.push_back({need,
                       {kind,
                        subject.node,
                        {subject.line.begin(), subject.line.end()},
                        limit,
                        std::move(excluded),
                        subject.urgent}});
    if (ranked_.size() >= 4 * (request_.max_questions + 16)) {
        keep_most_needed();
    }
    return state;
}

// Whether it is to be kept: it is new, or open and needed by a cheaper line than before.
bool Questions::remember(NodeId node, const Limit& limit, const std::vector<chess::Move>& excluded,
                         QuestionState state, double need) {
    auto& here = asked_[node];
    const auto known = std::ranges::find_if(here, [&](const Asked& asked) {
        return asked.limit == limit && asked.excluded == excluded;
    });
    if (known == here.end()) {
        here.push_back({limit, excluded, need});
        return true;
    }
    if (state != QuestionState::open || need >= known->need) {
        return false;
    }
    known->need = need;
    std::erase_if(ranked_, [&](const Ranked& ranked) {
        return ranked.question.node == node && ranked.question.limit == limit &&
               ranked.question.excluded == excluded;
    });
    return true;
}

void Questions::keep_most_needed() {
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [](const Ranked& a, const Ranked& b) { return a.need < b.need; });
    if (ranked_.size() > request_.max_questions) {
        ranked_.erase(ranked_.begin() + static_cast<std::ptrdiff_t>(request_.max_questions),
                      ranked_.end());
        plan_.complete = false;
    }
}

void Questions::finish() {
    keep_most_needed();
    plan_.questions.reserve(ranked_.size());
    for (Ranked& ranked : ranked_) {
        plan_.questions.push_back(std::move(ranked.question));
    }
    ranked_.clear();
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const Strategy* strategy : strategies()) {
        names.emplace_back(strategy->name());
    }
    return names;
}

const Strategy* find_strategy(std::string_view name) {
    const auto all = strategies();
    const auto found = std::ranges::find(all, name, &Strategy::name);
    return found == all.end() ? nullptr : *found;
}

const Strategy& strategy_of(std::string_view name) {
    const Strategy* found = find_strategy(name);
    assert(found != nullptr);
    return *found;
}

StrategyParameters default_parameters(std::string_view kind) {
    StrategyParameters result;
    result.kind = kind;
    for (const OwnNumber& number : strategy_of(kind).numbers()) {
        result.own.push_back(number.usual);
    }
    return result;
}

Plan make_plan(const PlanRequest& request) {
    assert(request.refine >= 1);
    return strategy_of(request.parameters.kind).plan(request);
}

std::span<const Field<StrategyParameters>> strategy_fields() {
    return strategy_table;
}

} // namespace adjourn::analysis
