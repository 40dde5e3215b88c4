#include "analysis/root_answer.hpp"

#include "analysis/move_order.hpp"

#include <algorithm>
#include <array>

namespace adjourn::analysis {

std::optional<RootAnswer> root_answer(const Graph& graph, NodeId root,
                                      std::span<const chess::Move> verified) {
    const std::array<NodeId, 1> line{root};
    return root_answer(graph, line, verified);
}

std::optional<RootAnswer> root_answer(const Graph& graph, std::span<const NodeId> line,
                                      std::span<const chess::Move> verified) {
    const auto moves = graph.moves(line.back());
    if (moves.empty()) {
        return std::nullopt;
    }
    const LineValues values{graph, line};
    const auto is_verified = [&](std::size_t i) {
        return std::binary_search(verified.begin(), verified.end(), moves[i].move);
    };
    bool any = false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        any |= is_verified(i);
    }
    const auto before = [&](std::size_t a, std::size_t b) {
        return move_order(moves[a], values.alpha_of(a).value) <
               move_order(moves[b], values.alpha_of(b).value);
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if ((!any || is_verified(i)) && (!best || before(i, *best))) {
            best = i;
        }
    }
    RootAnswer answer{moves[*best].move, *best, values.alpha_of(*best).value, std::nullopt};
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const chess::Score value = values.alpha_of(i).value;
        if (i != *best && (!answer.next || value > *answer.next)) {
            answer.next = value;
        }
    }
    return answer;
}

} // namespace adjourn::analysis
