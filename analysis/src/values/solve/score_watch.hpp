// ScoreWatch: the positions below a move whose engine score may be trusted (engine_scores.hpp),
// with their work. In the present network, or a past one.
#pragma once

#include "values/store/flat_map.hpp"
#include "values/store/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace adjourn::analysis {

// Nodes by nominal effort, whole, so that sums do not depend on their order. Beyond 2^53 all are
// alike; so many moves of that size do not come together that a sum of them could overflow.
inline std::uint64_t nodes_of(double effort) {
    constexpr double most = 53;
    return effort < 0 ? 0
                      : static_cast<std::uint64_t>(std::llround(std::exp2(std::min(effort, most))));
}

// Whether an evaluation of that effort can be trusted where none is smaller than `least`.
inline bool may_be_trusted(double effort, double least) {
    return nodes_of(effort) > 2 * nodes_of(least);
}

struct ScoreWatch {
    NodeId source;
    std::uint64_t wanted = 0; // work below that is enough
    std::uint64_t found = 0;
    std::vector<NodeId> below;

    bool overruled() const { return found >= wanted; }
};

template <class AnyNetwork>
std::uint64_t work_at(const AnyNetwork& network, NodeId node) {
    std::uint64_t sum = 0;
    for (const GraphMove& move : network.moves(node)) {
        sum += nodes_of(move.effort);
    }
    return sum;
}

// Without a search: the target has an evaluation of no less effort, or none.
template <class AnyNetwork>
bool surely_overruled(const AnyNetwork& network, const GraphMove& move) {
    const auto below = network.moves(move.target);
    return below.empty() || std::any_of(below.begin(), below.end(), [&](const GraphMove& other) {
               return other.effort >= move.effort;
           });
}

// Complete, unless the score is overruled.
template <class AnyNetwork>
ScoreWatch watch_below(const AnyNetwork& network, NodeId source, const GraphMove& move) {
    ScoreWatch result{source, (nodes_of(move.effort) + 1) / 2, 0, {}};
    FlatSet seen;
    std::vector<NodeId> open{move.target};
    seen.insert(index_of(move.target), {});
    for (std::size_t next = 0; next < open.size() && !result.overruled(); ++next) {
        const auto moves = network.moves(open[next]);
        if (open[next] == source || moves.empty()) {
            continue;
        }
        result.below.push_back(open[next]);
        result.found += work_at(network, open[next]);
        for (const GraphMove& on : moves) {
            if (seen.insert(index_of(on.target), {}).second) {
                open.push_back(on.target);
            }
        }
    }
    return result;
}

} // namespace adjourn::analysis
