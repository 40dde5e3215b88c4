#include "evaluation_limit.hpp"

#include "analysis/strategy.hpp"

#include <algorithm>
#include <bit>

namespace adjourn::server::uci {

namespace {

constexpr double unknown_speed = 200'000; // nodes a second
constexpr std::uint64_t untimed_nodes = 1 << 17;
// Evaluations that the nodes of a move are divided into: of each worker by a clock, of all of them
// by "go nodes".
constexpr double evaluations_of_time = 8;
constexpr std::uint64_t evaluations_of_nodes = 16;
// With `anchored` the first long search is as large as eight of these, half of the budget: no
// larger one would fit after it, so it is the last as well and gets the whole. A move of a game is
// decided best that way (docs/measurements/benchmarks.md).
constexpr std::uint64_t evaluations_anchored = 16;

analysis::Limit nodes_limit(std::uint64_t nodes) {
    return {analysis::Limit::Kind::nodes, std::max<std::uint64_t>(1, nodes)};
}

bool anchored(const Settings& settings) {
    return analysis::strategy_of(settings.strategy).has_anchor();
}

} // namespace

std::optional<std::uint64_t> budget_of(const Go& go, const Settings& settings,
                                       const std::optional<Allotment>& allotment, double speed) {
    std::optional<std::uint64_t> budget = go.nodes;
    if (anchored(settings) && !go.ponder && !go.infinite && allotment && speed > 0) {
        const double seconds = static_cast<double>(allotment->optimum.count()) / 1000.0;
        const double nodes = seconds * speed * static_cast<double>(settings.profile().count);
        const auto most = static_cast<std::uint64_t>(std::clamp(nodes, 1.0, 1e18));
        budget = std::min(budget.value_or(most), most);
    }
    return budget;
}

analysis::Limit limit_of(const Go& go, const Settings& settings,
                         const std::optional<Allotment>& allotment, double speed,
                         const std::optional<std::uint64_t>& budget) {
    if (settings.evaluation_depth > 0) {
        return {analysis::Limit::Kind::depth,
                static_cast<std::uint64_t>(settings.evaluation_depth)};
    }
    if (settings.evaluation_nodes > 0) {
        return nodes_limit(static_cast<std::uint64_t>(settings.evaluation_nodes));
    }
    if (anchored(settings) && budget) {
        return nodes_limit(*budget / evaluations_anchored / settings.profile().count);
    }
    std::uint64_t nodes = untimed_nodes;
    if (allotment) {
        nodes = evaluation_nodes(allotment->optimum, speed > 0 ? speed : unknown_speed,
                                 evaluations_of_time);
    }
    if (go.nodes) {
        nodes = std::min(
            nodes, std::bit_floor(std::max<std::uint64_t>(1, *go.nodes / evaluations_of_nodes)));
    }
    return nodes_limit(nodes);
}

} // namespace adjourn::server::uci
