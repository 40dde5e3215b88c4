// GraphWatcher: is told of every fact that comes into a graph.
#pragma once

#include "analysis/graph.hpp"

#include <vector>

namespace adjourn::server {

class GraphWatcher {
public:
    virtual ~GraphWatcher() = default;
    GraphWatcher(const GraphWatcher&) = delete;
    GraphWatcher& operator=(const GraphWatcher&) = delete;

    // Before the graph takes it in, and after. On the core's thread.
    virtual void comes(const analysis::Evaluation& fact) = 0;
    virtual void came(const analysis::Evaluation& fact,
                      const std::vector<analysis::NodeId>& changed) = 0;

protected:
    GraphWatcher() = default;
};

} // namespace adjourn::server
