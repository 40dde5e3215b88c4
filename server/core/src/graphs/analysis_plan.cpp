#include "core/graphs/analysis_plan.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

void AnalysisPlan::facts_came() {
    stale = true;
    ++answers_since_plan;
    if (std::exchange(finished, false)) {
        ready.clear();
    }
}

void AnalysisPlan::try_again() {
    failure.clear();
    finished = false;
    stale = true;
}

void AnalysisPlan::restart(Tree now, int recorded, bool waits_for_now) {
    const bool other_rules = now.first != tree.first;
    tree = std::move(now);
    // Snapshots do not tell what was left out; they stand for the first tree under these rules.
    const bool first = std::ranges::none_of(
        reached, [&](const auto& other) { return other.first.first == tree.first; });
    reached.try_emplace(tree, first ? recorded : 0);
    refine = 1;
    settled = 0;
    if (other_rules) { // else the best move is one of them until the walk has looked again
        verified.clear();
        counted = false;
    }
    lead = {};
    stopped.clear();
    failure.clear();
    level_inputs.reset();
    finished = false;
    ready.clear();
    planned = false;
    stale = true;
    now_due = waits_for_now;
}

} // namespace adjourn::server
