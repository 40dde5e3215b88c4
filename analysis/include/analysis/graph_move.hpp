// GraphMove and MoveValue: a move of the graph, and what it is worth in a context.
#pragma once

#include "analysis/records.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstdint>

namespace adjourn::analysis {

enum class NodeId : std::uint32_t {};

// A move of the graph as one node sees it. Millions of them are in memory: ids have 48 bits, times
// 47 (140 million million; ±2,200 years around 1970).
struct GraphMove {
    chess::Score engine_score; // of the best evaluation that names it; mover's side
    NodeId target;
    double effort;                // of that evaluation's limit
    EvaluationId evaluation : 48; // that evaluation
    chess::Move move;
    UnixMs at : 47; // when that evaluation's answer arrived
    // The graph's own: what is known below the move is too little to overrule the engine's score of
    // it (docs/internals/scores.md). No effect where the target is exact or not expanded.
    bool trusted : 1 = false;
    std::uint16_t rest_note = 0; // the graph's own: see RestFacts
};

static_assert(sizeof(GraphMove) == 32);

// A move together with the value it has in a context (mover's side).
struct MoveValue {
    chess::Score value;
    bool repetition = false;   // alpha only: leads to a position of the line
    bool closes_cycle = false; // idea only: keeps its engine score (docs/internals/scores.md)
};

} // namespace adjourn::analysis
