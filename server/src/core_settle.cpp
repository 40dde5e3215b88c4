// Core, when a depth is settled: the plan of an analysis, depth by depth.
#include "server/core.hpp"
#include "snapshot.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::server {

namespace {

constexpr int deepest_refine = 200;

// A depth is recorded when it settles first under the present limit and strategy (a restart walks
// the settled depths again, on facts they did not have then), and the last depth whenever its
// result changes.
bool worth_recording(const AnalysisRun& run, const storage::SnapshotRecord& snapshot) {
    const storage::SnapshotRecord* latest = nullptr;
    for (const storage::SnapshotRecord& other : run.snapshots) {
        if (same_rules(other.data, snapshot.data) && other.refine >= snapshot.refine) {
            latest = &other;
        }
    }
    if (latest == nullptr) {
        return true;
    }
    return snapshot.refine == run.spec.strategy.refine && !same_values(latest->data, snapshot.data);
}

// Why nothing can ever be said about the root; "" while something can.
std::string root_failure(const AnalysisRun& run) {
    const analysis::Graph& graph = run.slot->graph();
    if (graph.expanded(run.root_node) || graph.exact(run.root_node)) {
        return "";
    }
    return run.slot->failure_at(run.root_node);
}

// Whether what has just settled is enough; says why.
bool stops_early(AnalysisRun& run) {
    const GraphSlot& slot = *run.slot;
    run.stopped.clear();
    if (run.spec.strategy.refine == 0 && slot.graph().exact(run.root_node)) {
        run.stopped = "the result is known"; // else there would be no end of levels
        return true;
    }
    const auto answer = analysis::root_answer(slot.graph(), run.root_node, run.verified);
    if (!answer) {
        return false;
    }
    const auto noise = run.spec.stop.lead > 0 ? slot.noise() : std::nullopt;
    const auto reason = analysis::may_stop(run.spec.stop, slot.graph(), run.root_node, *answer,
                                           noise, run.refine, run.lead);
    if (reason == analysis::StopReason::proven) {
        run.stopped = "the result is proven";
    } else if (reason == analysis::StopReason::lead) {
        run.stopped = "the best move is clear of the others";
    }
    return reason.has_value();
}

// What the tree rests on: of each move of its positions the evaluation that its score is from, if
// that is of the analysis's limit at least.
void count_used(AnalysisRun& run, const analysis::Plan& plan) {
    const double effort = analysis::effort(run.record.limit);
    run.evaluations_used = 0;
    run.own_used = 0;
    for (const analysis::NodeId node : plan.visited) {
        for (const analysis::GraphMove& move : run.slot->graph().moves(node)) {
            if (move.effort >= effort) {
                ++run.evaluations_used;
                run.own_used += run.asked.contains(move.evaluation) ? 1 : 0;
            }
        }
    }
}

} // namespace

// Makes a new plan; settles the depths that need nothing more. Returns whether there is a task.
bool Core::replan(AnalysisRun& run) {
    run.ready.clear();
    if (!run.planned) {
        run.settled = 0; // what stood there was of the snapshots
    }
    run.planned = true;
    run.stale = false;
    run.now_due = false;
    run.answers_since_plan = 0;
    run.recount = false;
    const int last = run.spec.strategy.refine == 0 ? deepest_refine : run.spec.strategy.refine;
    while (!run.finished) {
        analysis::Plan plan = plan_at(run, run.refine);
        run.plan_size = plan.visited.size();
        count_used(run, plan);
        if (!plan.settled()) {
            run.ready.assign(std::make_move_iterator(plan.tasks.begin()),
                             std::make_move_iterator(plan.tasks.end()));
            break;
        }
        if (run.failure = root_failure(run); !run.failure.empty()) {
            run.finished = true; // there is nothing to settle
            break;
        }
        settle(run, plan);
        if (run.refine >= last || stops_early(run)) {
            run.finished = true;
        } else {
            ++run.refine;
        }
    }
    // Engines never wait: while the last answers of this depth are out, the next one may begin.
    if (!run.finished && run.ready.empty() && run.refine < last) {
        analysis::Plan plan = plan_at(run, run.refine + 1);
        run.ready.assign(std::make_move_iterator(plan.tasks.begin()),
                         std::make_move_iterator(plan.tasks.end()));
    }
    return !run.ready.empty();
}

void Core::settle(AnalysisRun& run, const analysis::Plan& plan) {
    run.settled = run.refine;
    run.verified = plan.followed;
    run.changed = true;
    storage::SnapshotRecord snapshot;
    snapshot.analysis = run.record.id;
    snapshot.refine = run.refine;
    snapshot.at = now();
    snapshot.data = snapshot_text(run, expanded_positions(run));
    if (!worth_recording(run, snapshot)) {
        return;
    }
    run.snapshots.push_back(snapshot);
    if (run.transient) {
        return;
    }
    store_.append(snapshot, [](const auto&) {});
}

} // namespace adjourn::server
