#include "analysis/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

namespace adjourn::analysis {

namespace {

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
