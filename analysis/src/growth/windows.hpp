// Windows: the rule of what follows every move near the best one, by the ply.
#pragma once

#include "rule.hpp"

#include "analysis/strategy_parameters.hpp"

namespace adjourn::analysis {

class Windows : public Rule {
public:
    // From ply 2 on each window is `narrowing` of the one before it. 1: none is narrower, and
    // nothing is cut. The parameters must outlive it.
    Windows(const StrategyParameters& parameters, double narrowing, int plies)
        : parameters_{parameters}, narrowing_{narrowing}, plies_{plies}, narrows_{never_widens()} {}

    // By the plan if there is one, else W(0) = W(1) = D, then narrower, never below the floor (nor
    // above D). In cp, rounded down.
    int window(const Place& place) const override;

    std::unique_ptr<Rule> of_plies(int plies) const override;
    int horizon() const override { return plies_; }
    bool scores(const Place& place, int rank, int gap) const override;
    bool follows(const Place& place, int rank, int gap, int /*plies*/) const override {
        return scores(place, rank, gap);
    }
    bool cuts() const override { return narrowing_ < 1; }
    bool no_narrower(const Place& a, const Place& b) const override {
        return a.ply == b.ply || (a.ply < b.ply && narrows_);
    }

private:
    const PlyPlan* planned(const Place& place) const;
    bool never_widens() const;

    const StrategyParameters& parameters_;
    double narrowing_;
    int plies_;
    bool narrows_; // no ply follows more than the one before
};

} // namespace adjourn::analysis
