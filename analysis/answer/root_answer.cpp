#include "analysis/root_answer.hpp"

#include "analysis/graph.hpp"
#include "analysis/proof.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace adjourn::analysis {

namespace {

RootAnswer answer_with(const LineValues& values, std::span<const GraphMove> moves, std::size_t best,
                       std::span<const chess::Move> excluded = {}) {
    RootAnswer answer{moves[best].move, best, values.alpha_of(best).value, std::nullopt};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const chess::Score value = values.alpha_of(i).value;
        if (i != best && !base::contains(excluded, moves[i].move) &&
            (!answer.next || value > *answer.next)) {
            answer.next = value;
        }
    }
    return answer;
}

bool single_move(const Graph& graph, NodeId root) {
    const chess::Position position = graph.position(root);
    return position.legal_moves().size() == graph.excluded_at(position.packed()).size() + 1;
}

bool clear(const StopRules& rules, const Graph& graph, NodeId root, const RootAnswer& answer,
           const std::optional<Noise>& noise) {
    if (!answer.next) {
        return single_move(graph, root);
    }
    const auto decided = [](chess::Score score) { return score.is_win() || score.is_loss(); };
    if (decided(answer.alpha) || decided(*answer.next)) {
        return !answer.alpha.is_loss() && !answer.next->is_win() && answer.alpha > *answer.next;
    }
    return answer.alpha.rank() - answer.next->rank() >=
           rules.lead * (noise ? noise->sigma : reckoned_sigma(measure_few(graph)));
}

bool proven_answer(const Graph& graph, NodeId root, const RootAnswer& answer,
                   const Directives* directives) {
    Proof proof{graph, directives};
    return (answer.alpha.is_win() && proof.of_move(root, answer.index) == Proven::won) ||
           (answer.alpha.is_loss() && proof.of(root) == Proven::lost);
}

constexpr double first_step = 3; // log2 of 8
// How much less effort than the largest search of the root a court may have: after it that grows
// by two steps before the next one is due, and limits are rounded.
constexpr double court_lags = 3.2;

// The best engine score of searches of this effort or more. What people search by hand is as good
// as an anchor's.
std::optional<std::size_t> best_score(const Graph& graph, NodeId root, double least,
                                      std::span<const chess::Move> excluded) {
    const auto moves = graph.moves(root);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (moves[i].effort >= least && !base::contains(excluded, moves[i].move) &&
            (!best || move_order(graph, moves[i], moves[i].engine_score) <
                          move_order(graph, moves[*best], moves[*best].engine_score))) {
            best = i;
        }
    }
    return best;
}

} // namespace

std::optional<RootAnswer> root_answer(const Graph& graph, NodeId root,
                                      std::span<const chess::Move> verified) {
    const std::array<NodeId, 1> line{root};
    return root_answer(graph, line, verified);
}

std::optional<RootAnswer> root_answer(const Graph& graph, std::span<const NodeId> line,
                                      std::span<const chess::Move> verified) {
    const auto moves = graph.moves(line.back());
    if (moves.empty()) {
        return std::nullopt;
    }
    const LineValues values{graph, line};
    const auto is_verified = [&](std::size_t i) {
        return std::binary_search(verified.begin(), verified.end(), moves[i].move);
    };
    std::vector<std::size_t> eligible;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (is_verified(i)) {
            eligible.push_back(i);
        }
    }
    if (eligible.empty()) {
        eligible.resize(moves.size());
        std::iota(eligible.begin(), eligible.end(), std::size_t{0});
    }
    const auto judged = [&](std::size_t i) { return judged_below(graph, moves[i]); };
    if (std::any_of(eligible.begin(), eligible.end(), judged)) {
        std::erase_if(eligible, [&](std::size_t i) { return !judged(i); });
    }
    const auto before = [&](std::size_t a, std::size_t b) {
        return move_order(graph, moves[a], values.alpha_of(a).value) <
               move_order(graph, moves[b], values.alpha_of(b).value);
    };
    const std::size_t best = *std::min_element(eligible.begin(), eligible.end(), before);
    return answer_with(values, moves, best);
}

std::optional<StopReason> may_stop(const StopRules& rules, const Graph& graph, NodeId root,
                                   const RootAnswer& answer, const std::optional<Noise>& noise,
                                   int level, Lead& lead, const Directives* directives) {
    if (rules.proven && proven_answer(graph, root, answer, directives)) {
        return StopReason::proven;
    }
    if (rules.lead <= 0 || !clear(rules, graph, root, answer, noise)) {
        lead = {};
        return std::nullopt;
    }
    if (lead.leader != answer.move) {
        lead = {answer.move, level};
    }
    return level - lead.since + 1 >= rules.levels ? std::optional{StopReason::lead} : std::nullopt;
}

Limit anchor_limit(const Limit& limit, int step, int part) {
    assert(step >= 0 && step <= last_anchor && part >= 0 && part < anchor_parts);
    Limit result = limit_of(limit.kind, effort(limit) + first_step + step);
    if (limit.kind == Limit::Kind::nodes) {
        result.amount += result.amount / anchor_parts * static_cast<std::uint64_t>(part);
    }
    return result;
}

Limit largest_anchor_limit(const Limit& limit, std::uint64_t nodes) {
    assert(limit.kind == Limit::Kind::nodes);
    Limit result = anchor_limit(limit, 0);
    for (int step = 0; step <= last_anchor; ++step) {
        for (int part = 0; part < anchor_parts; ++part) {
            const Limit larger = anchor_limit(limit, step, part);
            if (larger.amount > nodes) {
                return result;
            }
            result = larger;
        }
    }
    return result;
}

Limit candidate_limit(const Limit& limit, int level) {
    return level <= 1 ? limit
                      : limit_of(limit.kind, effort(limit) + std::min(level - 1, last_anchor));
}

std::optional<Anchor> anchor_of(const Graph& graph, NodeId root, const Limit& limit,
                                std::span<const chess::Move> excluded) {
    const auto moves = graph.moves(root);
    // Of a single move there is nothing to be said of others.
    const bool has_choice = graph.position(root).legal_moves().size() > excluded.size() + 1;
    std::optional<Anchor> anchor;
    for (int step = 0; step <= last_anchor; ++step) {
        const double least = effort(anchor_limit(limit, step));
        const auto best = best_score(graph, root, least, excluded);
        if (!best || (has_choice && !graph.rest_bound(root, least, excluded))) {
            break; // no search of this size was free to choose
        }
        anchor = {step, moves[*best].move, *best, moves[*best].engine_score};
    }
    return anchor;
}

Limit court_limit(const Limit& limit, int step, double share) {
    assert(share > 0 && share < 1);
    return limit_of(limit.kind,
                    effort(anchor_limit(limit, step)) + std::log2(2 * share / (1 - share)));
}

const JointSearch* court_of(const Graph& graph, std::span<const NodeId> line,
                            std::span<const chess::Move> excluded) {
    const auto searches = graph.joint_searches(line.back());
    if (searches.empty()) {
        return nullptr;
    }
    const auto moves = graph.moves(line.back());
    const LineValues values{graph, line};
    const GraphMove* largest = nullptr;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool judged = !base::contains(excluded, moves[i].move) &&
                            !drawn_by_history(graph, line.back(), i, values.alpha_of(i));
        if (judged && (largest == nullptr || moves[i].effort > largest->effort)) {
            largest = &moves[i];
        }
    }
    for (const JointSearch& search : searches) {
        const bool holds = std::ranges::none_of(
            search.among, [&](chess::Move move) { return base::contains(excluded, move); });
        if (holds && largest != nullptr && search.effort >= largest->effort - court_lags &&
            base::contains(search.among, largest->move)) {
            return search.score.is_loss() ? nullptr : &search;
        }
    }
    return nullptr;
}

std::optional<RootAnswer> anchored_answer(const Graph& graph, NodeId root,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          std::span<const chess::Move> excluded) {
    const std::array<NodeId, 1> line{root};
    return anchored_answer(graph, line, verified, limit, excluded);
}

std::optional<RootAnswer> anchored_answer(const Graph& graph, std::span<const NodeId> line,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          std::span<const chess::Move> excluded) {
    const auto moves = graph.moves(line.back());
    const JointSearch* const court = court_of(graph, line, excluded);
    const LineValues values{graph, line, court};
    if (court != nullptr) {
        std::optional<std::size_t> best;
        const auto order = [&](std::size_t i) {
            return move_order(graph, moves[i], values.alpha_of(i).value);
        };
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!base::contains(excluded, moves[i].move) && (!best || order(i) < order(*best))) {
                best = i;
            }
        }
        return answer_with(values, moves, *best, excluded); // the court's own is one of them
    }
    const auto tree = root_answer(graph, line, verified);
    const auto anchor = anchor_of(graph, line.back(), limit, excluded);
    if (!anchor || tree->alpha.is_win()) {
        return tree;
    }
    const MoveValue value = values.alpha_of(anchor->index);
    if (value.value.is_loss() || drawn_by_history(graph, line.back(), anchor->index, value)) {
        return tree;
    }
    return answer_with(values, moves, anchor->index, excluded);
}

} // namespace adjourn::analysis
