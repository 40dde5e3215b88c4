// How long it takes to read a graph from its facts.
#pragma once

#include "analysis/graph.hpp"
#include "chess/position.hpp"

namespace adjourn::bench {

struct ReadingTimes {
    double together = 0; // in one go, seconds of one core
    double singly = 0;   // one by one in bulk
    bool equal = false;  // both are the graph
};

// Reads two graphs from the facts that the graph is of, one after the other. Making the facts is
// not part of it. `root`: the graph's only one.
ReadingTimes time_reading(const analysis::Graph& graph, const chess::Position& root);

} // namespace adjourn::bench
