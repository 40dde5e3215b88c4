// Views that look at many positions, as walks.
#pragma once

#include "api/views/view.hpp"
#include "core/graphs/graph_walk.hpp"

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

// What the answer at the end of `line` rests on.
std::unique_ptr<JsonWalk> walk_verdict(const Core& core, const AnalysisRun& run,
                                       const std::vector<chess::Move>& line);
// {"evaluations", "nodes"}: what is left.
nlohmann::json verifying_json(const Verify& work);

struct Changes;

// What changed between a moment and the walk's beginning, as changes_json() has it, but from the
// graph in memory: its costs are those of what has changed. Facts that come while it walks are not
// counted. From the store it reads only the older evaluations of moves that have newer ones.
class ChangesWalk : public JsonWalk {
public:
    // As result(), and in place of it.
    virtual Changes changes() = 0;
    // After go_on() has returned false: work for another thread before go_on() is called again;
    // empty if there is none.
    virtual std::function<void()> elsewhere() = 0;
    // The graph is gone: go_on() must not be called any more, and result() makes both trees from
    // the store. The walk gives up by itself where that is cheaper or the graph does not know
    // enough.
    virtual void give_up() = 0;
    // Whether result() will make both trees from the store.
    virtual bool given_up() const = 0;
};
// The walk gives up if more than 1/changes_part of the graph's moves are newer than the moment.
constexpr std::size_t changes_part = 3;
std::unique_ptr<ChangesWalk> walk_changes(const AnalysisRun& run, const storage::Store& store,
                                          analysis::UnixMs since, analysis::UnixMs now,
                                          std::shared_ptr<const analysis::Tables> tables,
                                          std::size_t part = changes_part);

} // namespace adjourn::server
