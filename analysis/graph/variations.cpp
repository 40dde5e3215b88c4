// What a graph's values come to: what candidates that were searched together are worth, and
// principal variations.
#include "analysis/graph.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

bool drawn_by_history(const Graph& graph, NodeId node, std::size_t i, const MoveValue& alpha) {
    return alpha.repetition ||
           (alpha.value.rank() == 0 && graph.idea_of(node, i).value.rank() != 0);
}

chess::Score after_court(const Graph& graph, const GraphMove& move, chess::Score value,
                         const JointSearch* court) {
    if (court == nullptr || value.is_win() || value.is_loss() || graph.exact(move.target)) {
        return value;
    }
    const chess::Score best = court->score;
    if (move.move == court->move) {
        return best;
    }
    const chess::Score most = best.is_win() ? best : chess::Score::cp(best.rank() - 1);
    return std::min(value, most);
}

chess::Score idea_after(const Graph& graph, NodeId node, std::size_t i, const JointSearch* court) {
    return after_court(graph, graph.moves(node)[i], graph.idea_of(node, i).value, court);
}

std::optional<chess::Score> idea_after(const Graph& graph, NodeId node, const JointSearch* court) {
    std::optional<chess::Score> idea = graph.idea(node);
    if (court != nullptr && !graph.exact(node)) {
        for (std::size_t i = 0; i < graph.moves(node).size(); ++i) {
            const chess::Score known = idea_after(graph, node, i, court);
            idea = i == 0 ? known : std::max(*idea, known);
        }
    }
    return idea;
}

namespace {

struct Choice {
    std::size_t index;
    MoveValue value;
};

// Precondition: there is a move.
template <class Value>
Choice best_choice(const Graph& graph, std::span<const GraphMove> moves, Value value) {
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
void add_table_line(const Graph& graph, NodeId node, std::size_t max_plies,
                    std::vector<chess::Move>& pv) {
    const std::optional<chess::Score> exact = graph.exact(node);
    if (graph.tables() == nullptr || !exact || (!pv.empty() && exact->rank() == 0)) {
        return;
    }
    const auto line = table_line(*graph.tables(), graph.position(node), max_plies - pv.size());
    pv.insert(pv.end(), line.begin(), line.end());
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
                                  std::size_t max_plies, const JointSearch* court) {
    std::vector<chess::Move> pv;
    LineValues values{graph, line, court};
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

} // namespace adjourn::analysis
