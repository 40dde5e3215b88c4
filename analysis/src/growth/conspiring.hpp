// Conspiring: what strategy `conspiracy` asks below the root: the evaluations that carry the
// answer, the likeliest to be wrong first (docs/internals/strategies.md). The root's own questions
// are those of `anchored`.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/verdict.hpp"

namespace adjourn::analysis {

// The plan of a level: nothing is left to ask when the carriers would have to be wrong all at once
// with less than a chance of e^(−cost_of_level(level)).
double cost_of_level(int level);

class Conspiring {
public:
    // `first`: the plan of halving's first level, which scores the root's moves.
    Conspiring(const PlanRequest& request, Plan first)
        : request_{request}, graph_{request.graph}, plan_{std::move(first)} {}

    Plan run();

private:
    std::optional<Verdict> verdict_without(const std::vector<chess::Move>& rivals) const;
    void ask(const Verdict& verdict);

    const PlanRequest& request_;
    const Graph& graph_;
    Plan plan_;
};

} // namespace adjourn::analysis
