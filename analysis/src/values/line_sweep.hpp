// alpha on a network: values at the end of a line.
#pragma once

#include "analysis/value_graph.hpp"
#include "network.hpp"
#include "units.hpp"

#include <span>

namespace adjourn::analysis {

// What a move is worth in the game without history.
chess::Score game_score(const Network& network, const GraphMove& move);

// See ValueGraph::line_values().
LineResult sweep_line(const Network& network, const Units& units, std::span<const NodeId> line);

} // namespace adjourn::analysis
