#include "core/graphs/take_snapshot.hpp"

#include "core/graphs/solved_node.hpp"

#include <algorithm>

namespace adjourn::server {

Snapshot take_snapshot(const AnalysisRun& run, std::size_t positions) {
    const analysis::Graph& graph = run.slot->graph();
    const std::vector<analysis::NodeId> line = line_to_root(run);
    const analysis::LineValues values{graph, line};
    Snapshot snapshot;
    snapshot.root = run.root;
    snapshot.moved_to = run.moved_to();
    snapshot.evaluations = run.plan.evaluations_used;
    snapshot.positions = positions;
    snapshot.engine_ms = run.engine_ms();
    snapshot.limit = run.record.limit;
    snapshot.strategy = run.spec.strategy;
    snapshot.accept = run.spec.accept;
    snapshot.alpha = values.alpha();
    snapshot.idea = graph.idea(run.root_node);
    if (graph.exact(run.root_node)) {
        for (const SolvedMove& known : solved_moves(run, {})) {
            snapshot.moves.push_back({known.move.move, known.alpha(), known.move.value});
        }
    } else {
        const auto all = graph.moves(run.root_node);
        for (std::size_t i = 0; i < all.size(); ++i) {
            snapshot.moves.push_back(
                {all[i].move, values.alpha_of(i).value, graph.idea_of(run.root_node, i).value});
        }
    }
    snapshot.pv = analysis::alpha_pv(graph, line);
    return snapshot;
}

int recorded_level(const AnalysisRun& run) {
    const std::string present =
        rules_text(run.record.limit, run.spec.strategy, run.spec.accept, run.moved_to());
    int level = 0;
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        if (snapshot.refine > level && same_rules(snapshot.data, present)) {
            level = snapshot.refine;
        }
    }
    const int last = run.spec.strategy.refine;
    return last == 0 ? level : std::min(level, last);
}

} // namespace adjourn::server
