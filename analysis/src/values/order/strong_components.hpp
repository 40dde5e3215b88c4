// Strong components by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion.
// Components come out children first: each before all that lead to it.
#pragma once

#include "values/store/network.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace adjourn::analysis {

struct Visit {
    std::uint32_t index = 0; // 0 = not seen yet
    std::uint32_t low = 0;
};

// `mark(node)` gives the node's Visit&, which starts as Visit{}, and must stay in place until the
// next call of mark(); `inside(node)` says whether a target belongs to the part of the graph that
// is looked at; `emit(span of nodes)` takes a component.
template <class Mark, class Inside, class Emit>
void strong_components(const Network& network, std::span<const NodeId> starts, Mark mark,
                       Inside inside, Emit emit) {
    constexpr std::uint32_t done = std::numeric_limits<std::uint32_t>::max();
    struct Frame {
        NodeId node;
        std::uint32_t next; // move
    };
    std::vector<Frame> frames;
    std::vector<NodeId> open;
    std::uint32_t counter = 0;
    const auto enter = [&](NodeId node) {
        mark(node) = Visit{++counter, counter};
        open.push_back(node);
        frames.push_back({node, 0});
    };
    for (const NodeId start : starts) {
        if (mark(start).index != 0) {
            continue;
        }
        enter(start);
        while (!frames.empty()) {
            const NodeId node = frames.back().node;
            const auto moves = network.moves(node);
            if (frames.back().next < moves.size()) {
                const NodeId target = moves[frames.back().next++].target;
                if (!inside(target)) {
                    continue;
                }
                const Visit seen = mark(target);
                if (seen.index == 0) {
                    enter(target);
                } else if (seen.low != done) {
                    Visit& visit = mark(node);
                    visit.low = std::min(visit.low, seen.index);
                }
                continue;
            }
            frames.pop_back();
            const Visit visit = mark(node);
            if (visit.low == visit.index) {
                std::size_t first = open.size();
                do {
                    --first;
                    mark(open[first]).low = done;
                } while (open[first] != node);
                emit(std::span<const NodeId>{open}.subspan(first));
                open.resize(first);
            }
            if (!frames.empty()) {
                Visit& parent = mark(frames.back().node);
                if (visit.low < parent.low) { // never where the node's component is complete
                    parent.low = visit.low;
                }
            }
        }
    }
}

} // namespace adjourn::analysis
