// ThenAndNow: a graph as it was at a moment and as it was when the looking began, while it goes on.
#pragma once

#include "analysis/past_graph.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/graphs/graph_walk.hpp"

#include <unordered_set>
#include <vector>

namespace adjourn::server {

class ThenAndNow : public GraphWatcher {
public:
    explicit ThenAndNow(const analysis::Graph& graph) : graph_{graph}, then_{graph}, now_{graph} {}

    void comes(const analysis::Evaluation& fact) override;
    void came(const analysis::Evaluation& fact,
              const std::vector<analysis::NodeId>& changed) override;
    // Takes back what has come. To be called before anything else is asked.
    void take_back();
    // Nothing more is asked: what comes has no effect.
    void close() { closed_ = true; }

    // The node's moves were others than now. All before the first settle().
    void set_then(analysis::NodeId node, std::vector<analysis::GraphMove> moves) {
        then_.set_moves(node, std::move(moves));
    }
    // Works until the values of both are right.
    bool settle(const TimeUp& time_up) { return then_.go_on(time_up) && now_.go_on(time_up); }
    bool too_much() const { return then_.too_much() || now_.too_much(); }

    const analysis::PastGraph& then() const { return then_; }
    const analysis::PastGraph& now() const { return now_; }

    // Of the tree of then, nothing where the position had none:
    std::optional<chess::Score> value(analysis::NodeId node) const;
    std::optional<chess::Move> best(analysis::NodeId node) const;
    // An evaluation of then was about it, though none of its moves is from then.
    void set_known(analysis::NodeId node) { known_.insert(node); }

private:
    const analysis::Graph& graph_;
    analysis::PastGraph then_;
    analysis::PastGraph now_;
    std::unordered_set<analysis::NodeId> known_;
    std::vector<analysis::GraphMove> coming_; // what the position has before the fact
    std::vector<analysis::NodeId> changed_;
    std::vector<analysis::PastGraph::Before> about_;
    bool closed_ = false;
};

} // namespace adjourn::server
