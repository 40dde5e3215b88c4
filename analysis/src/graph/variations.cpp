// Principal variations.
#include "analysis/graph.hpp"
#include "analysis/move_order.hpp"
#include "analysis/past_graph.hpp"

#include <optional>
#include <vector>

namespace adjourn::analysis {

namespace {

struct Choice {
    std::size_t index;
    MoveValue value;
};

// Precondition: there is a move.
template <class AnyGraph, class Value>
Choice best_choice(const AnyGraph& graph, std::span<const GraphMove> moves, Value value) {
    Choice best{0, value(0)};
    for (std::size_t i = 1; i < moves.size(); ++i) {
        const MoveValue other = value(i);
        if (move_order(graph, moves[i], other.value) <
            move_order(graph, moves[best.index], best.value.value)) {
            best = {i, other};
        }
    }
    return best;
}

// Goes on from a position that the tables cover, if it is one.
template <class AnyGraph>
void add_table_line(const AnyGraph& graph, NodeId node, std::size_t max_plies,
                    std::vector<chess::Move>& pv) {
    const std::optional<chess::Score> exact = graph.exact(node);
    if (graph.tables() == nullptr || !exact || (!pv.empty() && exact->rank() == 0)) {
        return;
    }
    const auto line = table_line(*graph.tables(), graph.position(node), max_plies - pv.size());
    pv.insert(pv.end(), line.begin(), line.end());
}

template <class AnyGraph>
std::vector<chess::Move> pv_by_alpha(const AnyGraph& graph, std::span<const NodeId> line,
                                     std::size_t max_plies) {
    std::vector<chess::Move> pv;
    LineValues values{graph, line};
    while (pv.size() < max_plies && graph.expanded(values.node()) && !graph.exact(values.node())) {
        const auto moves = graph.moves(values.node());
        const Choice best =
            best_choice(graph, moves, [&](std::size_t i) { return values.alpha_of(i); });
        pv.push_back(moves[best.index].move);
        if (best.value.repetition) {
            return pv;
        }
        values.follow(best.index);
    }
    add_table_line(graph, values.node(), max_plies, pv);
    return pv;
}

} // namespace

std::vector<chess::Move> idea_pv(const Graph& graph, NodeId node, std::size_t max_plies) {
    std::vector<chess::Move> pv;
    while (pv.size() < max_plies && graph.expanded(node) && !graph.exact(node)) {
        const auto moves = graph.moves(node);
        const Choice best =
            best_choice(graph, moves, [&](std::size_t i) { return graph.idea_of(node, i); });
        pv.push_back(moves[best.index].move);
        if (best.value.closes_cycle) {
            return pv;
        }
        node = moves[best.index].target;
    }
    add_table_line(graph, node, max_plies, pv);
    return pv;
}

std::vector<chess::Move> alpha_pv(const Graph& graph, std::span<const NodeId> line,
                                  std::size_t max_plies) {
    return pv_by_alpha(graph, line, max_plies);
}

std::vector<chess::Move> alpha_pv(const PastGraph& graph, std::span<const NodeId> line,
                                  std::size_t max_plies) {
    return pv_by_alpha(graph, line, max_plies);
}

} // namespace adjourn::analysis
