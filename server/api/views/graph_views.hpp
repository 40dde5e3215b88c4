// Views that look at many positions of a graph: plain functions, for readers on any thread.
#pragma once

#include "api/views/view.hpp"
#include "core/graphs/graph_lock.hpp"

#include <cstddef>
#include <vector>

namespace adjourn::server {

constexpr std::size_t most_positions_seen = 20'000; // positions, of one view
constexpr std::size_t count_most = 10'000;          // positions below a move: "so many or more"

// Each REQUIRES: run.slot, which `reading` holds. `line` leads on from the root.

nlohmann::json tree_json(const RunView& run, const GraphReading& reading,
                         const std::vector<chess::Move>& line, const TreeLimits& limits);
// Moves at and below the end of `line` whose alpha there is far from the engine's score, largest
// gap first. Looks at 20,000 positions at most, nearest first.
nlohmann::json disagreements_json(const RunView& run, const GraphReading& reading,
                                  const std::vector<chess::Move>& line,
                                  const DisagreementLimits& limits);

// What the answer at the end of `line` rests on; `margin`: answer_margin(). Without `verifying`,
// which the caller adds.
nlohmann::json verdict_json(const RunView& run, const GraphReading& reading,
                            const std::vector<chess::Move>& line, int margin);
// {"evaluations", "nodes"}: what is left.
nlohmann::json verifying_json(const Verify& work);

} // namespace adjourn::server
