#include "analysis/past_graph.hpp"

#include "graph_impl.hpp"
#include "values/solve/engine_scores.hpp"
#include "values/solve/game_update.hpp"

#include <algorithm>

namespace adjourn::analysis {

PastGraph::PastGraph(const Graph& present)
    : present_{&present}, values_{present.impl_->values.past()} {}
PastGraph::~PastGraph() = default;
PastGraph::PastGraph(PastGraph&&) noexcept = default;
PastGraph& PastGraph::operator=(PastGraph&&) noexcept = default;

void PastGraph::set_moves(NodeId node, std::vector<GraphMove> moves) {
    values_->set_moves(node, std::move(moves));
}

void PastGraph::present_changed(std::span<const NodeId> changed, std::span<const Before> about) {
    values_->present_changed(changed);
    for (const auto& [node, moves] : about) {
        if (!knows_moves(node)) {
            values_->set_moves(node, moves);
        }
    }
}

bool PastGraph::knows_moves(NodeId node) const {
    return values_->network().has_own_moves(node);
}

bool PastGraph::go_on(const std::function<bool()>& time_up) {
    return values_->go_on(time_up);
}

bool PastGraph::too_much() const {
    return values_->too_much();
}

std::optional<NodeId> PastGraph::find(const chess::PackedPosition& position) const {
    return present_->find(position);
}

std::span<const GraphMove> PastGraph::moves(NodeId node) const {
    return values_->network().moves(node);
}

std::optional<chess::Score> PastGraph::game_value(NodeId node) const {
    return values_->game_value(node);
}

chess::Score PastGraph::game_value_of(NodeId node, std::size_t i) const {
    return values_->network().game_score(moves(node)[i]);
}

bool PastGraph::reached(NodeId node) const {
    bool found = false;
    values_->network().for_each_parent(node, [&](NodeId parent) {
        found = found || std::ranges::any_of(moves(parent), [&](const GraphMove& move) {
                    return move.target == node;
                });
    });
    return found;
}

LineValues::LineValues(const PastGraph& graph, std::span<const NodeId> line)
    : sweep_{graph.values_->sweep(line)}, node_{line.back()} {
    read();
}

bool counts(const Basis& basis, const Evaluation& fact) {
    return gives_score(fact) && large_enough(basis, fact);
}

FactsThen facts_then(const Basis& basis, std::span<const Evaluation> facts, UnixMs moment,
                     UnixMs now) {
    FactsThen then;
    for (const Evaluation& fact : facts) {
        if (!counts(basis, fact)) {
            continue;
        }
        if (fact.at > moment) {
            then.newer += fact.at <= now ? 1 : 0;
            continue;
        }
        const GraphMove scored = scored_move(fact);
        const std::size_t i = find_move(then.moves, scored.move);
        if (i == then.moves.size()) {
            then.moves.push_back(scored);
        } else if (goes_before(scored, then.moves[i])) {
            then.moves[i] = scored;
        }
    }
    return then;
}

std::vector<GraphMove> moves_then(std::span<const GraphMove> now, std::span<const GraphMove> older,
                                  UnixMs moment) {
    std::vector<GraphMove> then;
    for (const GraphMove& move : now) {
        if (move.at <= moment) {
            then.push_back(move);
        } else if (const std::size_t i = find_move(older, move.move); i < older.size()) {
            then.push_back(older[i]);
            then.back().target = move.target;
        }
    }
    return then;
}

} // namespace adjourn::analysis
