// After T. R. Lincke's drop-out expansion. Every move costs the side that plays it something, the
// more the further it is behind the best one; a level pays for all lines up to its number, the
// cheapest ones first.
#include "analysis/growth/grow.hpp"
#include "analysis/strategy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace adjourn::analysis::registered {

namespace {

constexpr std::array<OwnNumber, 3> own_numbers{{
    {"per_ply", 0, 100, 1, "What every move costs (dropout)"},
    {"per_cp", 0, 100, 1.0 / 12, "What a centipawn behind the best move costs (dropout)"},
    {"other_side", 0, 1, 0.5, "Weight of the side that does not deviate (dropout)"},
}};

constexpr double cost_rounding = 1e-9; // sums in different orders may differ by that
constexpr int plies_a_level = 4;       // that a line may have, where plies cost next to nothing

std::size_t index(chess::Color color) {
    return static_cast<std::size_t>(color);
}

class CheapestLines : public Rule {
public:
    // The parameters must outlive it.
    CheapestLines(const StrategyParameters& parameters, int level)
        : parameters_{parameters}, per_ply_{parameters.own.at(0)}, per_cp_{parameters.own.at(1)},
          other_side_{parameters.own.at(2)}, level_{level} {}

    // A level pays for two plies of best moves, one of each side.
    std::unique_ptr<Rule> of_plies(int plies) const override {
        const double paid = std::ceil(plies * per_ply_ / 2 - cost_rounding);
        const int least = (plies + plies_a_level - 1) / plies_a_level;
        return std::make_unique<CheapestLines>(parameters_,
                                               std::max(least, static_cast<int>(paid)));
    }
    int horizon() const override { return plies_a_level * level_; }
    bool scores(const Place& place, int gap) const override {
        return near_the_root(place, gap) || follows(place, gap, 1);
    }
    bool follows(const Place& place, int gap, int plies) const override {
        return need(after(place, gap, plies)) <= level_ + cost_rounding ||
               (near_the_root(place, gap) && place.ply + 1 < level_);
    }
    int window(const Place& /*place*/) const override { return parameters_.move_distance; }
    Place after(const Place& place, int gap, int plies) const override {
        Place next = Rule::after(place, gap, plies);
        next.spent[index(place.mover)] += per_ply_ * plies + per_cp_ * gap;
        return next;
    }
    // So many plies of best moves cost nothing.
    Place deepened(const Place& place, int plies) const override {
        Place result = place;
        result.spent[index(place.mover)] -= per_ply_ * ((plies + 1) / 2);
        result.spent[index(!place.mover)] -= per_ply_ * (plies / 2);
        return result;
    }
    bool no_narrower(const Place& a, const Place& b) const override {
        return (a.ply <= b.ply || b.ply > 1) && a.spent[0] <= b.spent[0] &&
               a.spent[1] <= b.spent[1];
    }
    // The mean of both sides' costs, where those of one side count in full and those of the other
    // by their weight, whichever way round is cheaper: either side may be the one that deviates.
    double need(const Place& place) const override {
        const auto [white, black] = place.spent;
        const double sum = std::min(white + other_side_ * black, other_side_ * white + black);
        return std::max(0.0, sum / (1 + other_side_));
    }

private:
    // Nothing inside the move distance is left out at plies 0 and 1.
    bool near_the_root(const Place& place, int gap) const {
        return place.ply <= 1 && gap <= parameters_.move_distance;
    }

    const StrategyParameters& parameters_;
    double per_ply_;
    double per_cp_;
    double other_side_;
    int level_;
};

class Dropout : public Strategy {
    std::string_view name() const override { return "dropout"; }
    std::string_view meaning() const override { return "deviations from the best moves cost"; }
    std::span<const OwnNumber> numbers() const override { return own_numbers; }
    bool windowed() const override { return false; }
    Plan plan(const PlanRequest& request) const override {
        const PlanRequest adapted = with_floor(request);
        return grown_by(CheapestLines{adapted.parameters, request.refine}, adapted);
    }
};

} // namespace

const Strategy& dropout() {
    static const Dropout strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
