// Foresight: what will most likely be asked next, told by what the searches that are out say so
// far. At the start of a tree each question depends on the answers to those before it; with many
// engines most would wait. A running search has most often found its move long before it ends.
//
// Nothing rests on foresight but who is asked when: the answers are facts like any others, and a
// level needs them only if its plan asks for them.
#pragma once

#include "analysis/growth.hpp"

#include <span>
#include <vector>

namespace adjourn::analysis {

// What a search that is out would answer if it ended now.
struct Opinion {
    NodeId node; // of the request's graph
    Limit limit;
    std::vector<chess::Move> excluded; // sorted
    chess::Move move;
    chess::Score score; // mover's side
};

struct Foreseen {
    chess::Position position; // may be new to the graph
    Task task;                // its node is not set
};

// Whether a search has done enough for its opinion to be believed: a sixteenth of its limit.
// `depth` in plies, `nodes_per_second` 0 if unknown.
bool far_enough(const Limit& limit, int depth, std::uint64_t nodes, std::uint64_t nodes_per_second);

// Open questions of the request's level, and of those after it up to `last_level`, as they were if
// each of these searches ended with its opinion; in order of need, at most request.max_tasks. None
// if the tree at the request's root has more than `most_positions` expanded positions: costs grow
// with them, about as much as if their evaluations came in anew.
std::vector<Foreseen> foresee(const PlanRequest& request, std::span<const Opinion> opinions,
                              int last_level, std::size_t most_positions);

} // namespace adjourn::analysis
