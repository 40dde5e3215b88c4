// What an analysis's directives come to at each position of its graph.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <vector>

namespace adjourn::server {

// Makes `run.node_directives` of `run.directives`; none without a graph. A later directive about
// the same move or position replaces the earlier one.
void rebuild_node_directives(AnalysisRun& run);

// The lines from the root whose moves people want analysed: to moves that they included, and to
// positions where they deepened. Each ends before a move that is excluded, if it has one.
std::vector<std::vector<chess::Move>> included_lines(const AnalysisRun& run);

// What people brought in as moves of theirs at a position: included, or seeds; not excluded.
std::vector<chess::Move> own_moves(const AnalysisRun& run, analysis::NodeId node);

} // namespace adjourn::server
