#include "past_engine_scores.hpp"

#include "score_watch.hpp"

#include <limits>

namespace adjourn::analysis {

namespace {

constexpr std::uint64_t not_reached = std::numeric_limits<std::uint64_t>::max();

} // namespace

bool PastEngineScores::any_may_be_trusted() const {
    const Network::Efforts efforts = network_.efforts();
    return may_be_trusted(efforts.most, efforts.least);
}

void PastEngineScores::step(std::vector<NodeId>& changed) {
    if (!any_may_be_trusted()) { // as it is where limits are alike
        open_.clear();
    }
    if (!open_.empty()) {
        const NodeId node = open_.back();
        open_.pop_back();
        for (std::size_t i = 0; i < network_.moves(node).size(); ++i) {
            judge(node, i, changed);
        }
        reach(node, work_at(network_, node));
    } else if (!climbs_.empty()) {
        const Climb from = climbs_.top();
        climbs_.pop();
        if (*reached_.find(index_of(from.second)) == from.first) { // no better way meanwhile
            climb(from, changed);
        }
    }
}

void PastEngineScores::reach(NodeId node, std::uint64_t work) {
    std::uint64_t& least = *reached_.insert(index_of(node), not_reached).first;
    if (work < least) {
        least = work;
        climbs_.emplace(work, node);
    }
}

// A move above a position that was added has at least the work of the way there below it.
void PastEngineScores::climb(const Climb& from, std::vector<NodeId>& changed) {
    const auto& [work, node] = from;
    const std::uint64_t most = nodes_of(network_.efforts().most);
    if (work >= (most + 1) / 2) {
        return;
    }
    std::vector<NodeId> parents; // first: judging changes the network
    network_.for_each_parent(node, [&](NodeId parent) { parents.push_back(parent); });
    for (const NodeId parent : parents) {
        for (std::size_t i = 0; i < network_.moves(parent).size(); ++i) {
            const GraphMove& move = network_.moves(parent)[i];
            if (move.target == node && work < (nodes_of(move.effort) + 1) / 2) {
                judge(parent, i, changed);
            }
        }
        reach(parent, work + work_at(network_, parent));
    }
}

// A trusted score is written down: in the present network it may be overruled at any time.
void PastEngineScores::judge(NodeId source, std::size_t i, std::vector<NodeId>& changed) {
    const GraphMove& move = network_.moves(source)[i];
    const bool trusted =
        !surely_overruled(network_, move) && !watch_below(network_, source, move).overruled();
    if (trusted || trusted != move.trusted) {
        network_.keep_moves(source);
        network_.set_trusted(source, i, trusted);
        changed.push_back(source);
    }
}

} // namespace adjourn::analysis
