#include "core/schedule/planner.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/line_end.hpp"
#include "core/schedule/answer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace adjourn::server {

using storage::AnalysisState;

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
bool worth_recording(const AnalysisRun& run, const NotedSnapshot& snapshot) {
    const NotedSnapshot* latest = nullptr;
    for (const NotedSnapshot& other : run.snapshots) {
        if (other.refine >= snapshot.refine && other.same_rules(snapshot.rules)) {
            latest = &other;
        }
    }
    if (latest == nullptr) {
        return true;
    }
    return snapshot.refine == run.spec.strategy.refine && !latest->same_values(snapshot);
}

// The latest depth that is on record said the same.
bool recorded(const AnalysisRun& run, const NotedSnapshot& snapshot) {
    const auto latest =
        std::find_if(run.snapshots.rbegin(), run.snapshots.rend(),
                     [&](const auto& other) { return other.same_rules(snapshot.rules); });
    return latest != run.snapshots.rend() && latest->same_values(snapshot);
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
    const auto answer = answer_of(run);
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

// Whether the second engine is now to be asked about the level that has settled: not about those
// that a start walks again. The next level waits for the questions, not for the answers.
bool asks_second(AnalysisRun& run, const LevelInputs& inputs) {
    std::pair level{run.spec.second_engine, inputs};
    if (level.first.empty() || run.confirming || run.plan.settled < settled_level(run) ||
        run.second_asked == level) {
        return false;
    }
    run.second_asked = std::move(level);
    run.second_due = true;
    return true;
}

// What the tree rests on: of each move of its positions the evaluation that its score is from, if
// that is of the analysis's limit at least.
void count_used(AnalysisRun& run, const analysis::Plan& plan) {
    const double effort = analysis::effort(run.record.limit);
    run.plan.evaluations_used = 0;
    run.plan.own_used = 0;
    run.plan.counted = true;
    double nodes = 0;
    for (const analysis::NodeId node : plan.visited) {
        for (const analysis::GraphMove& move : run.slot->graph().moves(node)) {
            if (move.effort >= effort) {
                ++run.plan.evaluations_used;
                run.plan.own_used += run.asked.contains(move.evaluation) ? 1 : 0;
                nodes += std::exp2(move.effort);
            }
        }
    }
    run.plan.nodes_used = std::round(nodes); // the same in whatever order
}

constexpr int levels_needed = 3; // from fewer, no growth can be told
constexpr int levels_compared = 4;

// Evaluations that the tree rested on when that level settled last; 0 if that is not on record.
double evaluations_at(const AnalysisRun& run, int level) {
    storage::SnapshotRecord present;
    present.data = run.plan.tree.first;
    const auto rules = NotedSnapshot{std::move(present)}.rules;
    for (auto it = run.snapshots.rbegin(); it != run.snapshots.rend(); ++it) {
        if (it->refine == level && it->same_rules(rules)) {
            return static_cast<double>(it->evaluations);
        }
    }
    return 0;
}

using Refused = std::unexpected<WorkError>;

Refused refused(std::string why) {
    return Refused{{WorkError::Kind::futile_more, std::move(why)}};
}

// What was spent, and what all that is out will cost if it costs as much as the others did.
double engine_seconds(const AnalysisRun& run) {
    const auto paid = static_cast<double>(run.out.paid.engine_ms) / 1000.0;
    const double spent = static_cast<double>(run.engine_ms()) / 1000.0 - paid;
    const double answers =
        static_cast<double>(std::max<std::uint64_t>(1, run.usage.evaluations_new));
    return spent + std::max(paid, spent * static_cast<double>(run.out.in_flight) / answers);
}

// Milliseconds of a process for each node, or each evaluation; nullopt: too little was searched.
std::optional<double> pace(const AnalysisRun& run, bool of_nodes) {
    constexpr std::uint64_t least_ms = 1'000;
    const std::uint64_t searched = of_nodes ? run.usage.nodes : run.usage.evaluations_new;
    const std::uint64_t ms = of_nodes ? run.usage.engine_ms : run.ms_of_answers();
    return ms < least_ms || searched == 0
               ? std::nullopt
               : std::optional{static_cast<double>(ms) / static_cast<double>(searched)};
}

// Milliseconds of all processes together that what is out will most likely still take.
double out(const AnalysisRun& run) {
    const bool nodes = run.record.limit.kind == analysis::Limit::Kind::nodes;
    const double each = pace(run, nodes).value_or(0);
    return nodes ? each * static_cast<double>(run.out.nodes_to_pay())
                 : std::max(0.0, each * static_cast<double>(run.out.in_flight) -
                                     static_cast<double>(run.out.paid.engine_ms));
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
    const std::size_t processes = processes_of(run);
    if (left_for_each) {
        *left_for_each /= processes;
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
         questions_per_plan, run.seeds.get(), std::move(before), left_for_each,
         run.out.long_search.has_value(),
         run.spec.window ? std::nullopt : std::optional{run.nodes() / processes}, // hours come back
         run.plan.court.has_value() || slot.court_is_out(run.root_node)});
}

// While a search stands, the court is for its process.
void Planner::make_ready(AnalysisRun& run, analysis::Plan& plan) {
    auto& questions = plan.questions;
    const auto court = std::ranges::find(questions, analysis::QuestionKind::court,
                                         &analysis::PlannedQuestion::kind);
    if (run.out.long_search && court != questions.end()) {
        run.plan.court = std::move(*court);
        questions.erase(court);
    }
    run.plan.ready.assign(std::make_move_iterator(questions.begin()),
                          std::make_move_iterator(questions.end()));
}

bool Planner::replan(AnalysisRun& run) {
    run.plan.ready.clear();
    if (!run.out.long_search) {
        run.plan.court.reset();
    }
    run.plan.planned = true;
    run.plan.stale = false;
    const bool waited_for = std::exchange(run.plan.now_due, false);
    run.plan.answers_since_plan = 0;
    run.plan.recount = false;
    if ((run.confirming || run.second_due) && (!waited_for || exhausted(run))) {
        run.plan.stale = run.second_due; // it goes on soon
        return false;
    }
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
            make_ready(run, plan);
            break;
        }
        if (plan.unanswered) {
            run.plan.failure = failure_text(run, *plan.unanswered);
            run.plan.finished = true; // all that could be done for this level is done
            break;
        }
        const LevelInputs inputs = inputs_of(plan);
        const bool higher = run.plan.level_inputs != inputs;
        NotedSnapshot snapshot = settle(run, plan, inputs);
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
        // A level that ends an analysis before the last one may have been recorded before people,
        // or other analyses, changed the values: the record ends with those that it has ended with.
        snapshot.refine = run.plan.refine;
        if (run.plan.finished && !recorded(run, snapshot)) {
            queue_.record(run, std::move(snapshot));
        }
        if (!exhausted(run) && asks_second(run, inputs) && !waited_for) {
            run.plan.stale = true;
            return false;
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
        make_ready(run, plan);
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

NotedSnapshot Planner::settle(AnalysisRun& run, const analysis::Plan& plan,
                              const LevelInputs& inputs) {
    const bool higher = run.plan.level_inputs != inputs;
    run.plan.level_inputs = inputs;
    run.plan.settled = run.plan.refine;
    run.plan.reached[run.plan.tree] = std::max(run.plan.reached[run.plan.tree], run.plan.settled);
    run.plan.verified = plan.followed;
    run.changed = true;
    NotedSnapshot snapshot = snapshot_of(run);
    if (worth_recording(run, snapshot) && (higher || !recorded(run, snapshot))) {
        queue_.record(run, snapshot);
    }
    return snapshot;
}

NotedSnapshot Planner::snapshot_of(const AnalysisRun& run) {
    storage::SnapshotRecord snapshot;
    snapshot.analysis = run.record.id;
    snapshot.refine = run.plan.refine;
    snapshot.at = queue_.moments()->next();
    Snapshot taken = take_snapshot(run, expanded_positions(run));
    const auto answer = answer_of(run);
    if (answer && run.plan.tree.second.empty()) {
        taken.best = chess::to_uci(run.root, answer->move);
    }
    snapshot.data = to_text(taken);
    return NotedSnapshot{std::move(snapshot)};
}

std::size_t Planner::expanded_positions(const AnalysisRun& run) {
    return run.slot == nullptr ? 0 : run.slot->positions_of_root(run.root_node);
}

bool Planner::in_window(const AnalysisRun& run) const {
    return !run.spec.window || run.spec.window->contains(local_minute_of_day(clock_()));
}

// Planner, how long an analysis will take.

// What share of its engine's turns the analysis has, by its place among those at work.
double Planner::share(const AnalysisRun& run) const {
    double mine = 0;
    double all = 0;
    for (const auto& other : queue_.runs()) {
        const bool competes = other->record.profile == run.record.profile &&
                              other->record.priority == run.record.priority &&
                              other->record.state == storage::AnalysisState::running;
        if (competes || other.get() == &run) {
            const double turns = 1.0 / static_cast<double>(other->out.place);
            all += turns;
            mine += other.get() == &run ? turns : 0;
        }
    }
    return mine / all;
}

std::optional<Planner::Remaining> Planner::remaining(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    const int level = settled_level(run);
    const int last = run.spec.strategy.refine;
    if (run.plan.finished || engine == nullptr || run.usage.evaluations_new == 0 || last == 0 ||
        level < levels_needed) {
        return std::nullopt;
    }
    const double now_used = evaluations_at(run, level);
    double slowest = 0;
    double fastest = 0;
    for (int i = level; i > std::max(1, level - levels_compared); --i) {
        const double before = evaluations_at(run, i - 1);
        const double growth = std::clamp(evaluations_at(run, i) / std::max(1.0, before), 1.1, 4.0);
        slowest = slowest == 0 ? growth : std::min(slowest, growth);
        fastest = std::max(fastest, growth);
    }
    const double seconds_each = static_cast<double>(run.ms_of_answers()) / 1000.0 /
                                static_cast<double>(run.usage.evaluations_new);
    const double at_once = static_cast<double>(engine->profile.count) * share(run);
    const auto seconds = [&](double growth) {
        // The level at work may have grown more than that already: the next ones begin from there.
        const double used = static_cast<double>(run.plan.evaluations_used);
        const double all = std::max(now_used * growth, used) * std::pow(growth, last - level - 1);
        return std::max(0.0, all - used) * seconds_each / at_once;
    };
    return Remaining{seconds(slowest), seconds(fastest)};
}

// Planner, more for an analysis that has ended, or would end.

std::expected<AnalysisPatch, WorkError> Planner::extended(const AnalysisRun& run,
                                                          const Extension& more) const {
    using Kind = Extension::Kind;
    const AnalysisState state = run.record.state;
    const std::string& reason = run.record.state_reason;
    if (state == AnalysisState::failed) {
        return refused("the analysis has failed: " + reason + "; resume it to try again");
    }
    const bool settled = state == AnalysisState::settled;
    if (settled && !reason.empty() && reason != clear_lead) {
        return refused("nothing more is to be found: " + reason);
    }
    AnalysisPatch patch;
    Budget budget = run.spec.budget;
    analysis::StrategyParameters strategy = run.spec.strategy;
    const std::uint64_t positions = expanded_positions(run);
    const std::uint64_t nodes = run.nodes();
    const double seconds = static_cast<double>(run.engine_ms()) / 1000.0;
    const bool ended = settled || state == AnalysisState::exhausted;
    if (ended) { // the rest of a budget may be too small for the next search, too
        const auto lift = [&](auto& limit, auto used, bool small) {
            if (limit && (small || *limit <= used)) {
                limit.reset();
            }
        };
        lift(budget.positions, positions, false);
        lift(budget.nodes, nodes, run.out.spent);
        lift(budget.engine_seconds, seconds, run.out.spent);
        lift(budget.until, clock_(), run.out.spent);
    }
    if (settled) {
        strategy.refine = 0;
        patch.stop = run.spec.stop;
        patch.stop->lead = reason == clear_lead ? 0 : patch.stop->lead;
    }
    const auto grow = [&](auto& limit, auto used) {
        using Number = std::decay_t<decltype(*limit)>;
        const Number had = limit.value_or(0);
        limit = (ended ? std::max<Number>(had, used) : had) + static_cast<Number>(more.amount);
    };
    switch (more.kind) {
    case Kind::hours: {
        if (!ended && !budget.engine_seconds && !budget.until) {
            return refused("the analysis has no limit of time that could grow");
        }
        const double hour = 3'600;
        if (budget.engine_seconds || !budget.until) {
            const double had = budget.engine_seconds.value_or(seconds);
            budget.engine_seconds = (ended ? std::max(had, seconds) : had) +
                                    more.amount * hour * static_cast<double>(processes_of(run));
        }
        if (budget.until) {
            *budget.until += static_cast<analysis::UnixMs>(more.amount * hour * 1000);
        }
        break;
    }
    case Kind::until: {
        const auto moment = static_cast<analysis::UnixMs>(more.amount);
        if (!ended && (!budget.until || moment <= *budget.until)) {
            return refused("the analysis goes on until then, or longer");
        }
        budget.until = moment;
        break;
    }
    case Kind::levels: {
        const int from = ended ? settled_level(run) : strategy.refine;
        if (!ended && strategy.refine == 0) {
            return refused("the analysis has no last level: it goes on until it is stopped");
        }
        strategy.refine = from + static_cast<int>(more.amount);
        if (strategy.refine > deepest_refine) {
            return refused("the analysis is at level " + std::to_string(from) +
                           "; there are no more than " + std::to_string(deepest_refine));
        }
        break;
    }
    case Kind::positions:
        if (!ended && !budget.positions) {
            return refused("the analysis has no limit of positions that could grow");
        }
        grow(budget.positions, positions);
        break;
    case Kind::nodes:
        if (!ended && !budget.nodes) {
            return refused("the analysis has no limit of nodes that could grow");
        }
        grow(budget.nodes, nodes);
        break;
    }
    for (const base::Field<Budget>& field : budget_fields) {
        if (value_of(field, budget).value_or(field.most) > field.most) {
            return refused("budget." + std::string{field.name} + " would be more than its most, " +
                           std::to_string(static_cast<std::int64_t>(field.most)));
        }
    }
    patch.budget = budget;
    patch.strategy = strategy;
    return patch;
}

// Planner, what ends at a time: no search is begun that would most likely run on for long after it.
// The long searches of `anchored` are as large as all before them.

bool Planner::time_is_up(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    return (budget.engine_seconds && engine_seconds(run) >= *budget.engine_seconds) ||
           (budget.until && clock_() >= *budget.until);
}

std::size_t Planner::processes_of(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    return engine == nullptr ? 1 : std::max<std::size_t>(1, engine->profile.count);
}

// Milliseconds that each process may go on with this analysis until a moment after what is out,
// when all get the same. What is out was begun so that it ends by then, and a part of it is done.
double Planner::left_until(const AnalysisRun& run, analysis::UnixMs end) const {
    const auto processes = static_cast<double>(processes_of(run));
    const double left = std::max(0.0, static_cast<double>(end - clock_()));
    const double taken = std::min(out(run), left * static_cast<double>(run.out.in_flight));
    return std::max(0.0, processes * left - taken) / processes;
}

std::optional<double> Planner::budget_left(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    std::optional<double> left;
    if (budget.engine_seconds) {
        const double spent = static_cast<double>(run.engine_ms()) + out(run);
        left = std::max(0.0, 1'000 * *budget.engine_seconds - spent) /
               static_cast<double>(processes_of(run));
    }
    if (budget.until) {
        const double until = left_until(run, *budget.until);
        left = std::min(left.value_or(until), until);
    }
    return left;
}

std::optional<double> Planner::hours_left(const AnalysisRun& run) const {
    const auto end = hours_end(run);
    return end ? std::optional{left_until(run, *end)} : std::nullopt;
}

std::optional<analysis::UnixMs> Planner::hours_end(const AnalysisRun& run) const {
    if (!run.spec.window) {
        return std::nullopt;
    }
    constexpr analysis::UnixMs minute = 60'000;
    const analysis::UnixMs now = clock_();
    return now - now % minute + minute * run.spec.window->minutes_left(local_minute_of_day(now));
}

std::optional<std::uint64_t> Planner::nodes_in_time(const AnalysisRun& run) const {
    auto left = budget_left(run);
    if (const auto hours = hours_left(run)) {
        left = std::min(left.value_or(*hours), *hours);
    }
    const auto each = pace(run, true);
    return left && each ? std::optional{static_cast<std::uint64_t>(*left / *each)} : std::nullopt;
}

bool Planner::fits(const AnalysisRun& run, const analysis::Limit& limit,
                   std::optional<double> left) const {
    if (!left || (limit == run.record.limit && !run.transient)) {
        return true;
    }
    if (limit.kind == analysis::Limit::Kind::movetime) {
        return static_cast<double>(limit.amount) <= *left;
    }
    const bool nodes = limit.kind == analysis::Limit::Kind::nodes;
    const auto each = pace(run, nodes);
    const double many =
        nodes ? static_cast<double>(limit.amount)
              : std::exp2(analysis::effort(limit) - analysis::effort(run.record.limit));
    return !each || many * *each <= *left;
}

bool Planner::fits_in_hours(const AnalysisRun& run, const analysis::Limit& limit) const {
    return fits(run, limit, hours_left(run));
}

} // namespace adjourn::server
