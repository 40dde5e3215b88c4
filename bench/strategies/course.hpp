// Course: how a strategy's tree grows with the evaluations it is given, and what it chooses then.
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/growth.hpp"
#include "bench/strategies/conversation.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace adjourn::bench {

struct CourseRequest {
    chess::Position root;
    analysis::StrategyParameters parameters; // `refine` is not used
    analysis::Limit limit;                   // of nodes
    std::size_t budget = 100; // evaluations; a search of k times the limit counts as k
    int margin = 0;           // cp, of strategies with an anchor without a court: Variant::margin
};

struct Course {
    std::optional<chess::Move> choice;                   // none: there was no score
    std::map<chess::Move, chess::Score> values;          // alpha of the root's moves
    std::map<chess::Move, analysis::Estimate> estimates; // of the same, mover's side
    std::vector<analysis::Evaluation> facts;             // that the tree rests on, as they came
    bool proven = false;                                 // by rule of proof.hpp, the root
    bool finished = false;                               // no level has anything more to ask
};

// Asks the engine what the strategy wants, in its order, level after level, until the budget is
// spent or nothing is left to ask. The choice is the answer among the moves that were followed to
// the level settled last; among all where none is settled. A function of the request and the
// engine's answers. REQUIRES: the root has a legal move; budget > 0.
Course follow_course(const CourseRequest& request, Conversation& engine);

// Estimates of the root's moves by all that the graph knows, mover's side.
std::map<chess::Move, analysis::Estimate> root_estimates(const analysis::Graph& graph,
                                                         analysis::NodeId root);

} // namespace adjourn::bench
