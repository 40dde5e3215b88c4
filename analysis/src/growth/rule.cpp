#include "rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace adjourn::analysis {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double most_for_gap = 100;   // what is further behind is equally lost
constexpr double cost_rounding = 1e-9; // sums of prices in different orders may differ by that

std::size_t index(chess::Color color) {
    return static_cast<std::size_t>(color);
}

} // namespace

int level_of(const StrategyParameters& parameters, int plies) {
    return windowed(parameters.kind)
               ? plies
               : static_cast<int>(std::ceil(plies / parameters.costs.horizon - cost_rounding));
}

Rule::Rule(const StrategyParameters& parameters, const Graph& graph, int level)
    : parameters_{parameters}, costs_{parameters.costs}, windowed_{windowed(parameters.kind)},
      level_{level}, horizon_{windowed_ ? level
                                        : static_cast<int>(std::floor(costs_.horizon * level))},
      budget_{windowed_ ? 1.0 : costs_.step * level}, narrows_{never_widens(parameters)},
      attention_{graph} {}

Prices Rule::prices(const Place& place, std::span<const Candidate> candidates, int rest_gap) const {
    // Moves that the engine did not propose stand in nobody's way.
    int proposed = 0;
    std::vector<int> ranks;
    int rest_rank = 0;
    for (const Candidate& candidate : candidates) {
        ranks.push_back(proposed);
        proposed += candidate.proposed ? 1 : 0;
        rest_rank += candidate.proposed && candidate.fresh ? 1 : 0;
    }
    if (!windowed_) {
        return summed(place, candidates, ranks, rest_gap, rest_rank);
    }
    Prices result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const int gap = candidates.front().value - candidates[i].value;
        result.known.push_back(in_window(place, ranks[i], gap));
    }
    result.unsearched = in_window(place, rest_rank, rest_gap);
    return result;
}

double Rule::in_window(const Place& place, int rank, int gap) const {
    const auto& plan = parameters_.plan[index(place.mover)];
    const int window = window_at(parameters_, place.ply, place.mover);
    if (!plan.empty()) {
        const PlyPlan& here = plan[std::min(static_cast<std::size_t>(place.ply), plan.size() - 1)];
        if (here.width != 0 && rank >= here.width && place.ply >= 2) {
            return never;
        }
    }
    if (gap > window) {
        return never;
    }
    return gap <= 0 ? 0 : static_cast<double>(gap) / window;
}

double Rule::by_gap(int ply, int gap) const {
    return std::min(most_for_gap, costs_.per_cp * std::max(gap, 0)) *
           std::pow(costs_.growth, std::max(0, ply - 1));
}

double Rule::bonus(const Place& place, std::span<const Candidate> candidates) const {
    if (costs_.bonus == 0 || candidates.empty()) {
        return 0;
    }
    if (!place.predicted) {
        return 2 * costs_.bonus; // a root that nobody has judged before
    }
    const auto best = std::max_element(
        candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.move.engine_score.rank() < b.move.engine_score.rank();
        });
    const double off = std::abs(best->move.engine_score.rank() - *place.predicted);
    const double threshold = costs_.threshold * (1 + costs_.loosening * place.ply);
    return costs_.bonus * std::min(2.0, off / threshold);
}

Prices Rule::summed(const Place& place, std::span<const Candidate> candidates,
                    std::span<const int> ranks, int rest_gap, int rest_rank) const {
    const int best = candidates.empty() ? 0 : candidates.front().value;
    const auto weight = [&](int gap) { return std::exp2(-by_gap(0, gap)); };
    double share = 0;
    for (const Candidate& candidate : candidates) {
        share += candidate.proposed ? weight(best - candidate.value) : 0;
    }
    const double less = bonus(place, candidates);
    const auto plain = [&](int rank, int gap, double all) {
        return costs_.per_ply + by_gap(place.ply, gap) + costs_.per_rank * std::log2(1.0 + rank) +
               costs_.spread * std::log2(std::max(1.0, all));
    };
    const bool looks = costs_.dullness > 0;
    const Attention::Order tried_as =
        looks ? attention_.order(place.node, candidates, place.principal,
                                 std::max(0, place.ply - horizon_ / 2))
              : Attention::Order{};
    const auto dull = [&](double points) { return looks ? costs_.dullness * 100 / points : 0; };
    Prices result;
    result.known.resize(candidates.size());
    double tried = 0;
    for (std::size_t n = 0; n < candidates.size(); ++n) {
        const std::size_t i = looks ? tried_as.order[n] : n;
        const Candidate& candidate = candidates[i];
        const int gap = best - candidate.value;
        double own = plain(ranks[i], gap, candidate.proposed ? share : share + weight(gap));
        own += looks ? dull(tried_as.points[i]) : 0;
        result.known[i] = std::max(0.0, own + costs_.carry * tried - less);
        tried += candidate.proposed ? own : 0;
    }
    const double own =
        plain(rest_rank, rest_gap, share + weight(rest_gap)) + dull(tried_as.unknown);
    result.unsearched = std::max(0.0, own + costs_.carry * tried - less);
    return result;
}

LineCost Rule::along(const LineCost& line, chess::Color mover, double price) const {
    LineCost result = line;
    double& side = result[index(mover)];
    side = windowed_ ? std::max(side, price) : side + price;
    return result;
}

double Rule::needed(const LineCost& line) const {
    const auto [white, black] = line;
    switch (windowed_ ? LevelBudget::per_side : parameters_.level_budget) {
    case LevelBudget::per_side: return std::max(white, black);
    case LevelBudget::joint: return (white + black) / 2;
    case LevelBudget::in_turn: {
        const double other = costs_.other_side;
        return std::min(white + other * black, other * white + black) / (1 + other);
    }
    }
    return never;
}

bool Rule::affords(const LineCost& line) const {
    return needed(line) <= budget_ + cost_rounding;
}

bool Rule::follows_anyway(int ply, int gap, bool base) const {
    return establishes_anyway(ply, gap, base) && ply + 1 < level_;
}

bool Rule::establishes_anyway(int ply, int gap, bool base) const {
    return !windowed_ && base && ply <= 1 && gap <= parameters_.move_distance;
}

bool Rule::no_narrower(int a, int b) const {
    return a == b || (a < b && narrows_);
}

bool Rule::no_dearer(const LineCost& a, const LineCost& b) const {
    return windowed_ || (a[0] <= b[0] && a[1] <= b[1]);
}

double Rule::shuffle_price(int extra_plies) const {
    return windowed_ ? 0 : costs_.shuffle * extra_plies;
}

} // namespace adjourn::analysis
