// Ideas: minimax that ignores history (docs/internals/scores.md).
#pragma once

#include "values/order/component_order.hpp"
#include "values/store/network.hpp"

namespace adjourn::analysis {

// Whether the move leads back to its source, and no deeper: then it keeps its engine score.
// Precondition: the node is active.
inline bool closes_cycle(const Network& network, const Record& source, const GraphMove& move) {
    const Record* target = network.find_active(move.target);
    return target != nullptr && ComponentOrder::together(source, *target) &&
           target->ply <= source.ply;
}

inline chess::Score idea_of_move(const Network& network, const Record& source,
                                 const GraphMove& move) {
    return closes_cycle(network, source, move) ? move.engine_score : network.idea_score(move);
}

// Precondition: the node is active.
inline chess::Score best_idea(const Network& network, NodeId node, const Record& record) {
    const auto moves = network.moves(node);
    chess::Score best = idea_of_move(network, record, moves[0]);
    for (const GraphMove& move : moves.subspan(1)) {
        const chess::Score score = idea_of_move(network, record, move);
        if (better(score, best)) {
            best = score;
        }
    }
    return best;
}

} // namespace adjourn::analysis
