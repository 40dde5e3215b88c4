// PastEngineScores: which engine scores were trusted in a past network (engine_scores.hpp). They
// differ from the present ones only for moves that have changed since and for those above them:
// work below a move only grows, so a score that was trusted may be overruled by now.
#pragma once

#include "values/store/flat_map.hpp"
#include "values/store/past_network.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace adjourn::analysis {

class PastEngineScores {
public:
    explicit PastEngineScores(PastNetwork& network) : network_{network} {}

    // The node's moves are known to be those of then. None of them is marked.
    void add(NodeId node) { open_.push_back(node); }
    bool settled() const { return open_.empty() && climbs_.empty(); }
    // A small part of the work. Marks in the network; appends the nodes whose marks are others.
    void step(std::vector<NodeId>& changed);
    // So many positions were looked at above those that were added.
    std::size_t climbed() const { return reached_.size(); }

private:
    // The least work on a way from a position down to one that was added.
    using Climb = std::pair<std::uint64_t, NodeId>;

    bool any_may_be_trusted() const;
    void reach(NodeId node, std::uint64_t work);
    void climb(const Climb& from, std::vector<NodeId>& changed);
    void judge(NodeId source, std::size_t i, std::vector<NodeId>& changed);

    PastNetwork& network_;
    std::vector<NodeId> open_;
    FlatMap<std::uint64_t> reached_;
    std::priority_queue<Climb, std::vector<Climb>, std::greater<>> climbs_;
};

} // namespace adjourn::analysis
