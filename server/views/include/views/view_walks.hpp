// Views that look at many positions, as walks.
#pragma once

#include "graphs/graph_walk.hpp"
#include "views/view.hpp"

#include <cstddef>
#include <memory>

namespace adjourn::server {

constexpr std::size_t walk_most = 20'000;  // positions one walk looks at
constexpr std::size_t count_most = 10'000; // positions below a move: "so many or more"

class JsonWalk : public GraphWalk {
public:
    // Once, when go_on() has returned true; any thread.
    virtual nlohmann::json result() = 0;
};

// REQUIRES: run.slot.
std::unique_ptr<JsonWalk> walk_tree(const AnalysisRun& run, const std::vector<chess::Move>& line,
                                    const TreeLimits& limits);
// Moves at and below the end of `line` whose alpha there is far from the engine's score, largest
// gap first. Looks at 20,000 positions at most, nearest first.
std::unique_ptr<JsonWalk> walk_disagreements(const AnalysisRun& run,
                                             const std::vector<chess::Move>& line,
                                             const DisagreementLimits& limits);

} // namespace adjourn::server
