// What an analysis's directives come to at each position of its graph.
#pragma once

#include "core/graphs/analysis_run.hpp"

namespace adjourn::server {

// Makes `run.node_directives` of `run.directives`; none without a graph. A later directive about
// the same move or position replaces the earlier one.
void rebuild_node_directives(AnalysisRun& run);

} // namespace adjourn::server
