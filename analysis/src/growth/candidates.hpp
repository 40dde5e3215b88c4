// Candidates: the scored moves of a position as a walk sees them.
#pragma once

#include "analysis/growth.hpp"

#include <span>
#include <vector>

namespace adjourn::analysis {

struct Candidate {
    GraphMove move;
    chess::Score score; // game value
    int value;          // its rank; 0 for a move into the own line
    bool repeats;
    bool included;
    bool fresh;    // scored with the request's limit or a larger one
    bool proposed; // by the engine, as far as is known; not only brought in by people or games
};

// Best first; equal values by engine score, then by the move's encoding. Without excluded moves.
// `on_line`: the line's positions, the node itself among them or not. `directives` may be null.
std::vector<Candidate> candidates_of(const PlanRequest& request, NodeId node,
                                     const NodeDirectives* directives,
                                     std::span<const NodeId> on_line);

bool has_fresh(std::span<const Candidate> candidates);

} // namespace adjourn::analysis
