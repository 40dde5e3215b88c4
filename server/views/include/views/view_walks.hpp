// Views that look at many positions, as walks.
#pragma once

#include "graphs/graph_walk.hpp"
#include "views/view.hpp"

#include <cstddef>
#include <functional>
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

// What changed since a moment, as changes_json() tells it of the moment when the walk began: by the
// graph in memory, at the price of what has changed; facts that come meanwhile are taken back. From
// the store it reads the older evaluations of moves that have newer ones.
class ChangesWalk : public JsonWalk {
public:
    // Once go_on() has returned false: what is to be done on another thread before the next, if
    // anything.
    virtual std::function<void()> elsewhere() = 0;
    // The graph is not there any more: go_on() must not be called. result() makes both trees from
    // the store; so it does where that is cheaper, or the graph does not know enough.
    virtual void give_up() = 0;
    // Whether it is so.
    virtual bool given_up() const = 0;
};
// Up to which part of the graph's moves may be newer.
constexpr std::size_t changes_part = 3;
std::unique_ptr<ChangesWalk> walk_changes(const AnalysisRun& run, const storage::Store& store,
                                          analysis::UnixMs since, analysis::UnixMs now,
                                          std::shared_ptr<const analysis::Tables> tables,
                                          std::size_t part = changes_part);

} // namespace adjourn::server
