// Solution: all values of a network from its moves alone, in one go: plies breadth first,
// components, then each component after those it leads to; in a component of several nodes one
// sweep for each side. Gains no rule of change with Propagation, so that each can check the other.
// O(E log E) at worst, O(E) but for the moves inside components of several nodes.
#pragma once

#include "values/order/plies.hpp"
#include "values/store/network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjourn::analysis {

// By record index; meaningful for active nodes only.
struct Solution {
    std::vector<std::uint32_t> ply;
    std::vector<std::uint32_t> idea; // Score::encode()
    std::vector<std::int32_t> value; // rank
    std::vector<std::uint32_t> component;
    std::vector<std::uint32_t> support; // see Network; 0 for components of one node
    // The components' nodes, children first: those of the i-th are nodes[ends[i-1]…ends[i]).
    std::vector<NodeId> nodes;
    std::vector<std::size_t> ends;

    std::span<const NodeId> nodes_of(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends[i - 1];
        return std::span{nodes}.subspan(begin, ends[i] - begin);
    }
};

Solution solve(const Network& network, const Plies& roots);

} // namespace adjourn::analysis
