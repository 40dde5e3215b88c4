// Dropout: the rule of drop-out expansion, after T. R. Lincke (docs/internals/strategies.md). Every
// move costs the side that plays it something, the more the further it is behind the best one; a
// level pays for all lines up to its number, the cheapest ones first.
#pragma once

#include "rule.hpp"

#include "analysis/strategy_parameters.hpp"

namespace adjourn::analysis {

class Dropout : public Rule {
public:
    // The parameters must outlive it.
    Dropout(const StrategyParameters& parameters, int level)
        : parameters_{parameters}, costs_{parameters.costs}, level_{level} {}

    std::unique_ptr<Rule> of_plies(int plies) const override;
    int horizon() const override;
    bool scores(const Place& place, int rank, int gap) const override;
    bool follows(const Place& place, int rank, int gap, int plies) const override;
    int window(const Place& /*place*/) const override { return parameters_.move_distance; }
    Place after(const Place& place, int gap, int plies) const override;
    Place deepened(const Place& place, int plies) const override;
    bool no_narrower(const Place& a, const Place& b) const override;
    double need(const Place& place) const override;

private:
    bool near_the_root(const Place& place, int gap) const;

    const StrategyParameters& parameters_;
    const Costs& costs_;
    int level_;
};

} // namespace adjourn::analysis
