#include "analysis/estimate.hpp"

#include "values/store/flat_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace adjourn::analysis {

namespace {

// A value and the work that it comes from. Decided values are ranks beyond all centipawns.
struct Value {
    double cp = 0;
    double nodes = 0;         // nominal, of the searches behind it
    double concentration = 1; // see half_width()
    std::size_t searches = 0;
};

bool decided(double cp) {
    return std::abs(cp) > chess::Score::max_cp;
}

class Estimator {
public:
    Estimator(const Graph& graph, NodeId node, std::size_t most) : graph_{graph} {
        std::vector<NodeId> open{node};
        near_.insert(index(node), {});
        for (std::size_t next = 0; next < open.size(); ++next) {
            std::vector<GraphMove> moves{graph.moves(open[next]).begin(),
                                         graph.moves(open[next]).end()};
            std::sort(moves.begin(), moves.end(),
                      [](const GraphMove& a, const GraphMove& b) { return a.move < b.move; });
            for (const GraphMove& move : moves) {
                if (open.size() < most && graph.expanded(move.target) &&
                    !graph.exact(move.target) && near_.insert(index(move.target), {}).second) {
                    open.push_back(move.target);
                }
            }
        }
    }

    // Mover's side. Moves that close a cycle end there, as they do for idea.
    Value of_move(NodeId node, std::size_t i) {
        const GraphMove& move = graph_.moves(node)[i];
        int score = move.engine_score.rank();
        if (const auto ceiling = graph_.ceiling_of(node, i)) {
            score = std::min(score, ceiling->rank());
        }
        const Value engine{static_cast<double>(score), std::exp2(move.effort), 1, 1};
        if (const auto exact = graph_.exact(move.target)) {
            return {static_cast<double>(exact->backed_up().rank()), engine.nodes, 1, 1};
        }
        if (!near_.contains(index(move.target)) || !graph_.expanded(move.target) ||
            graph_.idea_of(node, i).closes_cycle) {
            return engine;
        }
        const Value below = of_position(move.target);
        if (decided(below.cp) || decided(engine.cp)) { // no mean of a mate and centipawns
            return {-below.cp, engine.nodes + below.nodes, below.concentration, below.searches + 1};
        }
        const double nodes = engine.nodes + below.nodes;
        const double own = engine.nodes / nodes;
        return {own * engine.cp - (1 - own) * below.cp, nodes,
                own * own + (1 - own) * (1 - own) * below.concentration, below.searches + 1};
    }

    // Precondition: expanded. The best move's; it comes from all searches of the position.
    Value of_position(NodeId node) {
        if (const Value* known = known_.find(index(node))) {
            return *known;
        }
        const auto moves = graph_.moves(node);
        std::optional<Value> best;
        double all = 0;
        double best_own = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Value value = of_move(node, i);
            all += std::exp2(moves[i].effort);
            if (!best || std::tuple{value.cp, value.nodes, value.searches} >
                             std::tuple{best->cp, best->nodes, best->searches}) {
                best = value;
                best_own = std::exp2(moves[i].effort);
            }
        }
        best->nodes += all - best_own;
        best->searches += moves.size() - 1;
        *known_.insert(index(node), {}).first = *best;
        return *best;
    }

private:
    static std::uint32_t index(NodeId node) { return static_cast<std::uint32_t>(node); }

    const Graph& graph_;
    FlatSet near_;
    FlatMap<Value> known_;
};

} // namespace

ErrorModel error_model(const std::optional<Noise>& noise) {
    ErrorModel model;
    if (noise) { // a difference of two searches has twice the variance of one
        model.sigma = std::max(model.sigma, noise->sigma / std::numbers::sqrt2);
    }
    return model;
}

double half_width(const ErrorModel& model, double concentration) {
    return model.width * model.sigma * std::sqrt(model.shared + (1 - model.shared) * concentration);
}

Estimates estimates(const Graph& graph, NodeId node, const ErrorModel& model, std::size_t most) {
    Estimates result;
    if (graph.exact(node) || !graph.expanded(node)) {
        result.moves.resize(graph.moves(node).size());
        return result;
    }
    Estimator estimator{graph, node, most};
    const auto shown = [&](const Value& value) -> std::optional<Estimate> {
        if (decided(value.cp)) {
            return std::nullopt;
        }
        const double half = half_width(model, value.concentration);
        return Estimate{value.cp, value.cp - half, value.cp + half, value.searches};
    };
    for (std::size_t i = 0; i < graph.moves(node).size(); ++i) {
        const bool exact = graph.exact(graph.moves(node)[i].target).has_value();
        result.moves.push_back(exact ? std::nullopt : shown(estimator.of_move(node, i)));
    }
    result.position = shown(estimator.of_position(node));
    return result;
}

} // namespace adjourn::analysis
