// What people have said of positions, by the numbers of the analysis's graph.
#pragma once

#include "graphs/analysis_run.hpp"

namespace adjourn::server {

// Makes `run.steering` of its directives; none without a graph. A later word on the same move or
// position replaces the earlier one.
void rebuild_steering(AnalysisRun& run);

} // namespace adjourn::server
