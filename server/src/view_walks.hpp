// Views that look at many positions, as walks.
#pragma once

#include "server/graph_walk.hpp"
#include "server/view.hpp"

#include <memory>

namespace adjourn::server {

class JsonWalk : public GraphWalk {
public:
    // Once, when go_on() has returned true; any thread.
    virtual nlohmann::json result() = 0;
};

// What tree_json() and disagreements_json() do in one go. REQUIRES: run.slot.
std::unique_ptr<JsonWalk> walk_tree(const AnalysisRun& run, const std::vector<chess::Move>& line,
                                    const TreeLimits& limits);
std::unique_ptr<JsonWalk> walk_disagreements(const AnalysisRun& run,
                                             const std::vector<chess::Move>& line,
                                             const DisagreementLimits& limits);

} // namespace adjourn::server
