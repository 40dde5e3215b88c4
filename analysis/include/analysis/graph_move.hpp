// GraphMove and MoveValue: a move of the graph, and what it is worth in a context.
#pragma once

#include "analysis/records.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstdint>

namespace adjourn::analysis {

enum class NodeId : std::uint32_t {};

// A move of the graph as one node sees it. Millions of them are in memory: ids and times have 48
// bits (140 million million; ±4,400 years around 1970).
struct GraphMove {
    chess::Score engine_score; // of the best evaluation that names it; mover's side
    NodeId target;
    double effort;                // of that evaluation's limit
    EvaluationId evaluation : 48; // that evaluation
    chess::Move move;
    UnixMs at : 48;              // when that evaluation's answer arrived
    std::uint16_t rest_note = 0; // the graph's own: see RestFacts
};

// A move together with the value it has in a context (mover's side).
struct MoveValue {
    chess::Score value;
    bool repetition = false;   // alpha only: leads to a position of the line
    bool closes_cycle = false; // idea only: keeps its engine score (docs/scores.md)
};

} // namespace adjourn::analysis
