#include "then_and_now.hpp"

#include "changes.hpp"

#include <utility>

namespace adjourn::server {

using analysis::NodeId;

void ThenAndNow::comes(const analysis::Evaluation& fact) {
    coming_.clear();
    if (const auto node = graph_.find(fact.question.position); node && !closed_) {
        const auto moves = graph_.moves(*node);
        coming_.assign(moves.begin(), moves.end());
    }
}

void ThenAndNow::came(const analysis::Evaluation& fact, const std::vector<NodeId>& changed) {
    if (closed_ || changed.empty()) {
        return;
    }
    changed_.insert(changed_.end(), changed.begin(), changed.end());
    if (const auto node = graph_.find(fact.question.position)) {
        about_.push_back({*node, coming_}); // the first of a position counts
    }
}

void ThenAndNow::take_back() {
    if (!changed_.empty()) {
        then_.present_changed(changed_, about_);
        now_.present_changed(changed_, about_);
        changed_.clear();
        about_.clear();
    }
}

std::optional<chess::Score> ThenAndNow::value(NodeId node) const {
    if (then_.exact(node) && !then_.expanded(node) && !then_.reached(node) &&
        !known_.contains(node)) {
        return std::nullopt; // the rules and tables know of it, nobody did
    }
    return then_.game_value(node);
}

std::optional<chess::Move> ThenAndNow::best(NodeId node) const {
    if (!then_.expanded(node)) {
        return std::nullopt;
    }
    return then_.moves(node)[best_of(then_, node)].move;
}

} // namespace adjourn::server
