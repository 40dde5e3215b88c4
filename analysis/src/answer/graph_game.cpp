#include "answer/graph_game.hpp"

#include "base/contains.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace adjourn::analysis {

GraphGame::GraphGame(const Graph& graph, std::span<const NodeId> line, const LeafNoise& noise,
                     std::vector<chess::Move> excluded)
    : graph_{graph}, noise_{noise}, asked_{line.back()}, excluded_{std::move(excluded)} {
    for (const NodeId node : line) {
        line_.insert(std::to_underlying(node));
    }
    std::vector<NodeId> open{line.begin(), line.end()};
    while (!open.empty()) {
        const NodeId at = open.back();
        open.pop_back();
        for (const Graph::Parent& parent : graph.parents(at)) {
            const chess::Move move = graph.moves(parent.node)[parent.move].move;
            if (!graph.position(parent.node).is_irreversible(move) &&
                before_.insert(std::to_underlying(parent.node)).second) {
                open.push_back(parent.node);
            }
        }
    }
}

chess::Color GraphGame::turn(std::uint32_t node) const {
    return graph_.position(NodeId{node}).turn();
}

int GraphGame::value(std::uint32_t node) const {
    return graph_.game_value(NodeId{node})->rank();
}

void GraphGame::moves(std::uint32_t number, std::vector<FlipMove>& out) const {
    const NodeId node{number};
    const auto known = graph_.moves(node);
    const std::span<const chess::Move> excluded =
        node == asked_ ? std::span<const chess::Move>{excluded_} : std::span<const chess::Move>{};
    std::optional<int> best;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (!base::contains(excluded, known[i].move)) {
            out.push_back(of_move(node, i));
            const int value = graph_.game_value_of(node, i).rank();
            best = std::max(best.value_or(value), value);
        }
    }
    if (best) {
        add_rest(node, excluded, *best, out);
    }
}

std::optional<FlipMove> GraphGame::move(NodeId node, std::size_t index) const {
    std::vector<FlipMove> all;
    moves(std::to_underlying(node), all);
    const auto found = std::ranges::find(all, index, &FlipMove::index);
    return found == all.end() ? std::nullopt : std::optional{*found};
}

FlipMove GraphGame::of_move(NodeId node, std::size_t i) const {
    const GraphMove& move = graph_.moves(node)[i];
    if (const auto exact = graph_.exact(move.target)) {
        return {i, 0, true, exact->backed_up().rank(), 0};
    }
    const bool known_below = graph_.expanded(move.target) && !move.trusted;
    if (known_below || line_.contains(std::to_underlying(move.target))) {
        return {i, std::to_underlying(move.target), false, 0, 0};
    }
    return {i, 0, true, move.engine_score.rank(), noise_.of(move.effort)};
}

// No move that was not asked is worth more than the best one, or the position's value would not be
// what it is.
void GraphGame::add_rest(NodeId node, std::span<const chess::Move> excluded, int best,
                         std::vector<FlipMove>& out) const {
    const chess::Position position = graph_.position(node);
    const auto left_out = graph_.excluded_at(position.packed());
    const auto known = graph_.moves(node);
    const auto asked = [&](chess::Move move) {
        return base::contains(left_out, move) || base::contains(excluded, move) ||
               std::ranges::find(known, move, &GraphMove::move) != known.end();
    };
    if (std::ranges::all_of(position.legal_moves(), asked)) {
        return;
    }
    const double effort = std::ranges::max_element(known, {}, &GraphMove::effort)->effort;
    const auto said = graph_.rest_bound(node, 0, excluded);
    const int rank = said ? std::min(said->rank(), best) : best;
    out.push_back({the_rest, 0, true, rank, noise_.of(effort),
                   said && said->rank() > best ? std::optional{said->rank()} : std::nullopt});
}

} // namespace adjourn::analysis
