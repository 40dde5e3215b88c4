#include "graphs/analysis_run.hpp"

#include <algorithm>

namespace adjourn::server {

std::vector<analysis::NodeId> line_to_root(const AnalysisRun& run) {
    std::vector<analysis::NodeId> line;
    for (const chess::Position& position : run.repeated) {
        if (const auto node = run.slot->graph().find(position.packed())) {
            line.push_back(*node); // what the graph does not know, no move of it leads to
        }
    }
    line.push_back(run.root_node);
    return line;
}

int settled_level(const AnalysisRun& run) {
    const auto known = run.reached.find(run.tree);
    const int level = std::max(run.settled, known == run.reached.end() ? 0 : known->second);
    const int last = run.spec.strategy.refine;
    return last == 0 ? level : std::min(level, last);
}

bool waits_for_now(const AnalysisRun& run) {
    return std::any_of(run.steering.begin(), run.steering.end(),
                       [](const auto& entry) { return entry.second.now; });
}

} // namespace adjourn::server
