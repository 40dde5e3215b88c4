// What an analysis looks like now, to be recorded when a level has settled.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "core/records/snapshot.hpp"

namespace adjourn::server {

// The run has its graph. `positions`: expanded ones.
Snapshot take_snapshot(const AnalysisRun& run, std::size_t positions);
// The deepest level that was recorded of this root under the present limit and strategy; 0 if none
// was. Never deeper than the strategy is meant to go.
int recorded_level(const AnalysisRun& run);

} // namespace adjourn::server
