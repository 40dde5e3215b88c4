// Proof: which positions are proven won or lost, as opposed to those of which all known moves
// happen to lose.
//
//   lost: every legal move is known to lose, or all that were not asked lose by the engine's bound
//         (Graph::rest_bound, of any limit), too
//   won:  a move leads to a position that is lost in that sense
//
// The rules and the tables decide exact positions. Where no move of a position is known, the engine
// score of the move that leads there decides. A proof that needs a repetition is none.
#pragma once

#include "analysis/graph.hpp"
#include "analysis/growth.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace adjourn::analysis {

enum class Proven : std::uint8_t { no, won, lost }; // for the mover

class Proof {
public:
    // Both must outlive this, and the graph must not change meanwhile. `directives` may be null;
    // moves excluded there or by the graph's basis are no part of the game.
    explicit Proof(const Graph& graph, const Directives* directives = nullptr)
        : graph_{graph}, directives_{directives} {}

    // Each position is looked at once, in cycles more often. Costs are those of the decided
    // positions below.
    Proven of(NodeId node);
    // Of the i-th move of graph.moves(node), for the side that plays it.
    Proven of_move(NodeId node, std::size_t i);

private:
    Proven look(NodeId node, int depth);
    Proven look_at_move(NodeId node, std::size_t i, int depth);
    bool all_lost(NodeId node, const NodeDirectives* directives, int depth);
    const NodeDirectives* directives_at(NodeId node) const;

    const Graph& graph_;
    const Directives* directives_;
    std::unordered_map<NodeId, std::optional<Proven>> known_; // nullopt: being looked at
    std::size_t decided_ = 0;                                 // of these, won or lost
    // Of what is being looked at: positions not proven as far as is known, since they lead to one
    // that is being looked at itself; and whether one was met since the present one was entered.
    std::unordered_set<NodeId> provisional_;
    bool met_open_ = false;
};

} // namespace adjourn::analysis
