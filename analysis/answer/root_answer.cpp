#include "analysis/root_answer.hpp"

#include "analysis/move_order.hpp"
#include "analysis/proof.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <vector>

namespace adjourn::analysis {

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
    RootAnswer answer{moves[best].move, best, values.alpha_of(best).value, std::nullopt};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const chess::Score value = values.alpha_of(i).value;
        if (i != best && (!answer.next || value > *answer.next)) {
            answer.next = value;
        }
    }
    return answer;
}

namespace {

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

} // namespace

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

namespace {

constexpr double first_step = 3;  // log2 of 8
constexpr double rounding = 0.01; // of limits, by effort

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

std::optional<RootAnswer> anchored_answer(const Graph& graph, NodeId root,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          int margin, std::span<const chess::Move> excluded) {
    const std::array<NodeId, 1> line{root};
    return anchored_answer(graph, line, verified, limit, margin, excluded);
}

std::optional<RootAnswer> anchored_answer(const Graph& graph, std::span<const NodeId> line,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          int margin, std::span<const chess::Move> excluded) {
    const auto anchor = anchor_of(graph, line.back(), limit, excluded);
    if (!anchor) {
        return root_answer(graph, line, verified);
    }
    const auto moves = graph.moves(line.back());
    const LineValues values{graph, line};
    const auto alpha = [&](std::size_t i) { return values.alpha_of(i).value; };
    const auto checked = [&](std::size_t i) {
        return std::binary_search(verified.begin(), verified.end(), moves[i].move) &&
               judged_below(graph, moves[i]);
    };
    std::size_t best = anchor->index;
    // The last search of a budget may be much larger than all that could be said against it. Of a
    // mate it is no matter how small the search was that found it.
    const double least = moves[anchor->index].effort - first_step - rounding;
    const bool refuted = alpha(anchor->index).is_loss();
    const auto weighty = [&](std::size_t i) {
        return refuted || alpha(i).is_win() || graph.exact(moves[i].target) ||
               std::ranges::any_of(graph.moves(moves[i].target),
                                   [&](const GraphMove& reply) { return reply.effort >= least; });
    };
    const int goal = alpha(anchor->index).rank() + margin;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (i != anchor->index && checked(i) && weighty(i) && alpha(i).rank() >= goal &&
            (best == anchor->index ||
             move_order(graph, moves[i], alpha(i)) < move_order(graph, moves[best], alpha(best)))) {
            best = i;
        }
    }
    RootAnswer answer{moves[best].move, best, alpha(best), std::nullopt};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (i != best && !base::contains(excluded, moves[i].move) &&
            (!answer.next || alpha(i) > *answer.next)) {
            answer.next = alpha(i);
        }
    }
    return answer;
}

} // namespace adjourn::analysis
