// What the verdict at a position of a large graph costs.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>

namespace adjourn::bench {

struct VerdictTimes { // ms
    double whole = 0;
    double longest = 0; // slice
    std::size_t slices = 0;
    std::size_t carriers = 0; // 0: there is no verdict
};
// REQUIRES: the position has values.
VerdictTimes time_verdict(const analysis::Graph& graph, analysis::NodeId node);

} // namespace adjourn::bench
