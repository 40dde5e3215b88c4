// Growing a tree by a rule: a walk from the root, and what people deepen.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/growth/rule.hpp"

#include <span>
#include <vector>

namespace adjourn::analysis {

Plan grown_by(const Rule& rule, const PlanRequest& request);

// By windows of which each is `narrowing` of the one before it, from ply 2 on.
Plan grown_by_windows(double narrowing, const PlanRequest& request);
inline constexpr double half = 0.5;

// With no window narrower than the noise that the facts show, if that is wanted.
PlanRequest with_floor(const PlanRequest& request);

// Candidates: the scored moves of a position as a walk sees them.

struct Candidate {
    GraphMove move;
    chess::Score score; // game value
    int value;          // its rank; 0 for a move into the own line
    bool repeats;
    bool included;
    bool fresh;    // scored with the request's limit or a larger one
    bool proposed; // by the engine, as far as is known; not only brought in by people or games
};

// Best first; equal values by engine score, then by the move's encoding. Without excluded moves.
// `on_line`: the line's positions, the node itself among them or not. `directives` may be null.
std::vector<Candidate> candidates_of(const PlanRequest& request, NodeId node,
                                     const NodeDirectives* directives,
                                     std::span<const NodeId> on_line);

bool has_fresh(std::span<const Candidate> candidates);

// Windows: the rule of what follows every move near the best one, by the ply.

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
