// Course: how a strategy's choice at the root changes with the evaluations it is given.
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/growth.hpp"
#include "strategies/oracle.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace adjourn::bench {

struct CourseRequest {
    chess::Position root;
    analysis::StrategyParameters parameters; // `refine` is not used
    analysis::Limit limit;
    std::size_t budget = 100; // evaluations; a search of k times the limit counts as k
};

struct Course {
    struct Point {
        chess::Move move;
        chess::Score value; // alpha, mover's side
    };
    // points[e - 1]: the choice after e evaluations. One each up to the budget; where nothing was
    // left to ask the last one stands. Those before the first score are missing at the front.
    std::vector<std::optional<Point>> points;
    std::map<chess::Move, chess::Score> values;          // alpha of the root's moves in the end
    std::map<chess::Move, analysis::Estimate> estimates; // of the same, mover's side
    std::vector<analysis::Evaluation> facts;             // that the tree rests on, as they came
};

// Asks the oracle what the strategy wants, in its order, level after level, until the budget is
// spent: one process that forgets nothing. The choice is the answer among the moves that were
// followed to the level settled last; among all where none is settled. A function of the request
// and the oracle's answers. REQUIRES: the root has a legal move; budget > 0.
Course follow_course(const CourseRequest& request, Oracle& oracle);

// Estimates of the root's moves by all that the graph knows, mover's side.
std::map<chess::Move, analysis::Estimate> root_estimates(const analysis::Graph& graph,
                                                         analysis::NodeId root);

} // namespace adjourn::bench
