#include "analysis/stop_rules.hpp"

#include "analysis/proof.hpp"

namespace adjourn::analysis {

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

} // namespace adjourn::analysis
