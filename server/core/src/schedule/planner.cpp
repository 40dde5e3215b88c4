#include "core/schedule/planner.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/graphs/move_clock.hpp"
#include "core/graphs/take_snapshot.hpp"
#include "core/schedule/answer.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::server {

namespace {

constexpr std::size_t questions_per_plan = 64;

// How many depths beyond the one that is worked on may be begun. With strategy `anchored` many
// processes have nothing else to do while the one long search is out. (Reproducible ones are
// planned for after each answer: walks would cost more than they bring.)
int depths_ahead(const AnalysisRun& run, const EngineSlot* engine) {
    const bool far = analysis::strategy_of(run.spec.strategy.kind).has_anchor() &&
                     engine != nullptr && !engine->profile.reproducible;
    return far ? 4 : 1;
}

// A level is recorded when it settles first under the present limit and strategy (a restart walks
// the settled levels again, on facts they did not have then), and the last level whenever its
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

// The latest depth that is on record said the same.
bool recorded(const AnalysisRun& run, const storage::SnapshotRecord& snapshot) {
    const auto latest =
        std::find_if(run.snapshots.rbegin(), run.snapshots.rend(),
                     [&](const auto& other) { return same_rules(other.data, snapshot.data); });
    return latest != run.snapshots.rend() && same_values(latest->data, snapshot.data);
}

LevelInputs inputs_of(const analysis::Plan& plan) {
    std::uint64_t digest = 0;
    for (const analysis::NodeId node : plan.visited) {
        digest = (digest ^ static_cast<std::uint64_t>(node)) * 0x9e3779b97f4a7c15ULL;
        digest ^= digest >> 29;
    }
    return {plan.visited.size(), digest, plan.evaluations, plan.followed};
}

// Whether what has just settled is enough; says why.
bool stops_early(AnalysisRun& run, const EngineSlot* engine) {
    const GraphSlot& slot = *run.slot;
    run.plan.stopped.clear();
    if (run.spec.strategy.refine == 0 && slot.graph().exact(run.root_node)) {
        run.plan.stopped = "the result is known"; // else there would be no end of levels
        return true;
    }
    const auto answer = answer_of(run, engine);
    if (!answer) {
        return false;
    }
    // Where it is reproducible nothing may depend on when somebody looked: slot.noise() remembers.
    const bool anew = engine != nullptr && engine->profile.reproducible;
    const auto noise = run.spec.stop.lead <= 0 ? std::nullopt
                       : anew                  ? analysis::measure_noise(slot.graph())
                                               : slot.noise();
    const auto reason =
        analysis::may_stop(run.spec.stop, slot.graph(), run.root_node, *answer, noise,
                           run.plan.refine, run.plan.lead, &run.node_directives);
    if (reason == analysis::StopReason::proven) {
        run.plan.stopped = "the result is proven";
    } else if (reason == analysis::StopReason::lead) {
        run.plan.stopped = clear_lead;
    }
    return reason.has_value();
}

// What the tree rests on: of each move of its positions the evaluation that its score is from, if
// that is of the analysis's limit at least.
void count_used(AnalysisRun& run, const analysis::Plan& plan) {
    const double effort = analysis::effort(run.record.limit);
    run.plan.evaluations_used = 0;
    run.plan.own_used = 0;
    run.plan.counted = true;
    for (const analysis::NodeId node : plan.visited) {
        for (const analysis::GraphMove& move : run.slot->graph().moves(node)) {
            if (move.effort >= effort) {
                ++run.plan.evaluations_used;
                run.plan.own_used += run.asked.contains(move.evaluation) ? 1 : 0;
            }
        }
    }
}

} // namespace

bool Planner::used_up(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    return (budget.positions && expanded_positions(run) >= *budget.positions) ||
           (budget.nodes && run.nodes() + run.out.nodes_to_pay() >= *budget.nodes);
}

// What the budget leaves when all that is out has cost its limit; nullopt: no budget of nodes.
std::optional<std::uint64_t> Planner::nodes_left(const AnalysisRun& run) const {
    if (!run.spec.budget.nodes) {
        return std::nullopt;
    }
    const std::uint64_t gone = run.nodes() + run.out.nodes_to_pay();
    return *run.spec.budget.nodes - std::min(*run.spec.budget.nodes, gone);
}

bool Planner::pays(const AnalysisRun& run, const analysis::Limit& limit) const {
    const auto left = nodes_left(run);
    const bool small = limit == run.record.limit && !run.transient;
    return small || !left || limit.kind != analysis::Limit::Kind::nodes || limit.amount <= *left;
}

bool Planner::in_time(const AnalysisRun& run, const analysis::Limit& limit) const {
    return fits(run, limit, budget_left(run));
}

analysis::Plan Planner::plan_at(const AnalysisRun& run, int refine) const {
    const GraphSlot& slot = *run.slot;
    std::vector<analysis::NodeId> before = line_to_root(run);
    before.pop_back();
    // What others searched deeper is not this engine's measure, where it is not the strategy that
    // searches deeper.
    const bool one_limit =
        !slot.accepted().empty() && !analysis::strategy_of(run.spec.strategy.kind).has_anchor();
    // When all processes get the same.
    auto left_for_each = nodes_left(run);
    if (left_for_each) {
        *left_for_each /= processes_of(run);
    }
    if (const auto in_time = nodes_in_time(run)) {
        left_for_each = std::min(left_for_each.value_or(*in_time), *in_time);
    }
    return analysis::make_plan(
        {slot.graph(), run.root_node, run.record.limit, run.spec.strategy, refine,
         run.node_directives,
         [this, &run, one_limit](analysis::NodeId node, const analysis::Limit& limit,
                                 const std::vector<chess::Move>& excluded) {
             if (one_limit && analysis::effort(limit) > analysis::effort(run.record.limit)) {
                 return analysis::QuestionState::dead;
             }
             return graphs_.state(*run.slot, {node, limit, excluded});
         },
         questions_per_plan, &run.seeds, std::move(before), left_for_each,
         run.out.long_search.has_value()});
}

bool Planner::replan(AnalysisRun& run) {
    run.plan.ready.clear();
    run.plan.planned = true;
    run.plan.stale = false;
    run.plan.now_due = false;
    run.plan.answers_since_plan = 0;
    run.plan.recount = false;
    const int last = run.spec.strategy.refine == 0 ? deepest_refine : run.spec.strategy.refine;
    if (drawn_by_clock(run, run.root) && !run.transient) { // nothing is to be found
        run.plan.finished = true;
        run.plan.stopped = clock_note(run, run.root);
    }
    while (!run.plan.finished) {
        analysis::Plan plan = plan_at(run, run.plan.refine);
        run.plan.size = plan.visited.size();
        count_used(run, plan);
        if (!plan.asks_nothing()) {
            run.plan.ready.assign(std::make_move_iterator(plan.questions.begin()),
                                  std::make_move_iterator(plan.questions.end()));
            break;
        }
        if (plan.unanswered) {
            run.plan.failure = failure_text(run, *plan.unanswered);
            run.plan.finished = true; // all that could be done for this level is done
            break;
        }
        const LevelInputs inputs = inputs_of(plan);
        const bool higher = run.plan.level_inputs != inputs;
        settle(run, plan, inputs);
        if (run.plan.refine >= last || stops_early(run, engines_.of(run))) {
            run.plan.finished = true;
        } else if (!higher && nothing_left(run, inputs, last)) {
            run.plan.finished = true;
            if (run.spec.strategy.refine == 0) {
                run.plan.stopped = "nothing is left to ask";
            } else { // each level up to the one that was wanted is this one
                run.plan.refine = last;
                run.plan.settled = last;
                run.plan.reached[run.plan.tree] = last;
            }
        } else {
            ++run.plan.refine;
        }
        if (run.plan.finished) {
            record_end(run);
        }
    }
    // Engines never wait: while the last answers of this level are out, the next ones may begin.
    // Where what they ask is too large for the time or the nodes that are left, further ones ask
    // for smaller searches.
    constexpr int further = 8;
    const auto can_go_on = [&] {
        return std::ranges::any_of(run.plan.ready, [&](const analysis::PlannedQuestion& question) {
            return affords(run, question.limit) && fits_in_hours(run, question.limit);
        });
    };
    const int ahead = depths_ahead(run, engines_.of(run));
    for (int refine = run.plan.refine + 1; !run.plan.finished && !can_go_on() && refine <= last;
         ++refine) {
        if (refine - run.plan.refine > ahead + (run.plan.ready.empty() ? 0 : further)) {
            break;
        }
        analysis::Plan plan = plan_at(run, refine);
        run.plan.ready.assign(std::make_move_iterator(plan.questions.begin()),
                              std::make_move_iterator(plan.questions.end()));
    }
    return !run.plan.ready.empty();
}

// No depth up to `last` would ask anything or look at another position.
bool Planner::nothing_left(const AnalysisRun& run, const LevelInputs& inputs, int last) const {
    const analysis::Plan deepest = plan_at(run, last);
    return deepest.settled() && inputs_of(deepest) == inputs;
}

// The line and what the engine did, for people.
std::string Planner::failure_text(const AnalysisRun& run,
                                  const analysis::PlannedQuestion& question) const {
    const NodeQuestion asked{question.node, question.limit, question.excluded};
    const std::string reason = graphs_.failure_of(*run.slot, asked);
    std::string line;
    chess::Position position = run.root;
    for (const chess::Move move : question.line) {
        line += " " + chess::to_san(position, move);
        position.play(move);
    }
    return "no engine has " +
           std::string{question.excluded.empty() ? "an answer to " : "another move for "} +
           (line.empty() ? "its first position" : "the position after" + line) + ": " + reason;
}

void Planner::settle(AnalysisRun& run, const analysis::Plan& plan, const LevelInputs& inputs) {
    const bool higher = run.plan.level_inputs != inputs;
    run.plan.level_inputs = inputs;
    run.plan.settled = run.plan.refine;
    run.plan.reached[run.plan.tree] = std::max(run.plan.reached[run.plan.tree], run.plan.settled);
    run.plan.verified = plan.followed;
    run.changed = true;
    storage::SnapshotRecord snapshot = snapshot_of(run);
    if (!worth_recording(run, snapshot) || (!higher && recorded(run, snapshot))) {
        return;
    }
    queue_.record(run, std::move(snapshot));
}

storage::SnapshotRecord Planner::snapshot_of(const AnalysisRun& run) {
    storage::SnapshotRecord snapshot;
    snapshot.analysis = run.record.id;
    snapshot.refine = run.plan.refine;
    snapshot.at = queue_.moments()->next();
    snapshot.data = to_text(take_snapshot(run, expanded_positions(run)));
    return snapshot;
}

// A level that ends an analysis before the last one may have been recorded before people, or other
// analyses, changed the values: the record ends with those that it has ended with.
void Planner::record_end(AnalysisRun& run) {
    storage::SnapshotRecord snapshot = snapshot_of(run);
    if (!recorded(run, snapshot)) {
        queue_.record(run, std::move(snapshot));
    }
}

std::size_t Planner::expanded_positions(const AnalysisRun& run) {
    return run.slot == nullptr ? 0 : run.slot->positions_of_root(run.root_node);
}

bool Planner::in_window(const AnalysisRun& run) const {
    return !run.spec.window || run.spec.window->contains(local_minute_of_day(clock_()));
}

} // namespace adjourn::server
