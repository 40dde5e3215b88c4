// RootAnswer: which move to play, and by how much it leads.
#pragma once

#include "analysis/graph.hpp"

#include <optional>
#include <span>

namespace adjourn::analysis {

struct RootAnswer {
    chess::Move move;
    std::size_t index = 0;            // in graph.moves(root)
    chess::Score alpha;               // with the root alone as history
    std::optional<chess::Score> next; // best of the other scored moves; nullopt: there is none
};

// The best move by alpha among the verified ones (sorted; those that the walk of the last settled
// level followed), or among all if none of them is scored. Of these, a move that has only its
// engine score is no answer while another has been searched below (or is known exactly, or
// decided): a search below mostly lowers a value, so the two cannot be compared. Equal values:
// as `move_order`, as in the PV. nullopt: the root has no scored move.
std::optional<RootAnswer> root_answer(const Graph& graph, NodeId root,
                                      std::span<const chess::Move> verified);
// The same with a line that ends at the root as history.
std::optional<RootAnswer> root_answer(const Graph& graph, std::span<const NodeId> line,
                                      std::span<const chess::Move> verified);

} // namespace adjourn::analysis
