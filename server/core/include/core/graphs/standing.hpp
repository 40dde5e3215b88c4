// Standing: where a line from the root of an analysis leads.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <vector>

namespace adjourn::server {

struct Standing {
    chess::Position position;
    // What was repeated before the root, and those positions of the line that the graph knows.
    std::vector<analysis::NodeId> nodes;
    std::optional<analysis::NodeId> node; // of the position itself, if the graph knows it
};

// REQUIRES: the moves are legal. On the core's thread.
Standing stand(const AnalysisRun& run, const std::vector<chess::Move>& line);
// A move on. REQUIRES: the move is legal; `run` has the same graph as before.
void step(const AnalysisRun& run, Standing& standing, chess::Move move);

} // namespace adjourn::server
