#include "analysis/estimate.hpp"

#include "analysis/values/store/containers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <vector>

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

constexpr std::size_t fewest_pairs = 30;
constexpr int widest_score = 500;   // cp
constexpr double like_effort = 1.0; // log2 of a factor

bool counts(const chess::Score& score) {
    return score.is_cp() && std::abs(score.centipawns()) <= widest_score;
}

double median_of(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Spread evenly, and the same in whatever order the facts came.
std::uint64_t of_evaluation(const GraphMove& move) {
    const auto id = static_cast<std::uint64_t>(EvaluationId{move.evaluation});
    return id * 0x9e37'79b9'7f4a'7c15 >> 32;
}

// The move that a position's own search chose.
const GraphMove* own_choice(const Graph& graph, NodeId node) {
    const auto moves = graph.moves(node);
    const auto best =
        std::max_element(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
            return std::tuple{a.engine_score.rank(), a.effort} <
                   std::tuple{b.engine_score.rank(), b.effort};
        });
    return best == moves.end() ? nullptr : &*best;
}

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

Noise measure_few(const Graph& graph, std::size_t most) {
    const std::size_t step =
        std::max<std::size_t>(1, graph.move_count() / std::max<std::size_t>(1, most));
    std::vector<double> differences;
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
        for (const GraphMove& move : graph.moves(NodeId{static_cast<std::uint32_t>(i)})) {
            if (of_evaluation(move) % step != 0 || graph.exact(move.target) ||
                !counts(move.engine_score)) {
                continue;
            }
            const GraphMove* reply = own_choice(graph, move.target);
            if (reply != nullptr && counts(reply->engine_score) &&
                std::abs(reply->effort - move.effort) < like_effort) {
                differences.push_back(-reply->engine_score.centipawns() -
                                      move.engine_score.centipawns());
            }
        }
    }
    if (differences.empty()) {
        return {};
    }
    Noise noise;
    noise.pairs = differences.size();
    noise.median = median_of(differences);
    for (double& difference : differences) {
        difference = std::abs(difference - noise.median);
    }
    noise.sigma = 1.4826 * median_of(differences);
    return noise;
}

std::optional<Noise> measure_noise(const Graph& graph, std::size_t most) {
    const Noise noise = measure_few(graph, most);
    return noise.pairs < fewest_pairs ? std::nullopt : std::optional{noise};
}

double reckoned_sigma(const Noise& few) {
    const double share =
        std::min(1.0, static_cast<double>(few.pairs) / static_cast<double>(fewest_pairs));
    return std::sqrt(share * few.sigma * few.sigma + (1 - share) * prior_sigma * prior_sigma);
}

} // namespace adjourn::analysis
