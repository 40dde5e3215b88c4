#include "past_words.hpp"

#include "word_watch.hpp"

#include <limits>

namespace adjourn::analysis {

namespace {

constexpr std::uint64_t not_reached = std::numeric_limits<std::uint64_t>::max();

} // namespace

bool PastWords::any_may_stand() const {
    const Network::Efforts efforts = network_.efforts();
    return may_stand(efforts.most, efforts.least);
}

void PastWords::step(std::vector<NodeId>& changed) {
    if (!any_may_stand()) { // as it is where limits are alike
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

void PastWords::reach(NodeId node, std::uint64_t work) {
    std::uint64_t& least = *reached_.insert(index_of(node), not_reached).first;
    if (work < least) {
        least = work;
        climbs_.emplace(work, node);
    }
}

// A word above a position that was added has at least the work of the way there below it.
void PastWords::climb(const Climb& from, std::vector<NodeId>& changed) {
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

// What stands is kept, since the present network's may fall any time.
void PastWords::judge(NodeId source, std::size_t i, std::vector<NodeId>& changed) {
    const GraphMove& move = network_.moves(source)[i];
    const bool stands =
        !surely_falls(network_, move) && !watch_below(network_, source, move).fallen();
    if (stands || stands != move.stands) {
        network_.keep_moves(source);
        network_.set_stands(source, i, stands);
        changed.push_back(source);
    }
}

} // namespace adjourn::analysis
