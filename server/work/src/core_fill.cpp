// Core, what goes out: whose turn it is and what it needs next.
#include "work/core.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

constexpr std::size_t tasks_per_plan = 64;
constexpr std::chrono::milliseconds tick_interval{200};

// Lines that share their first two moves like the same process: its hash knows their subtree.
std::uint64_t affinity_of(const AnalysisRun& run, const analysis::Task& task) {
    std::uint64_t key = static_cast<std::uint64_t>(run.record.id) << 32;
    for (std::size_t i = 0; i < 2 && i < task.line.size(); ++i) {
        key = key << 16 | task.line[i].raw();
    }
    return key * 0x9e3779b97f4a7c15ULL | 1;
}

std::string place_of(const AnalysisRun& run) {
    return "the work on analysis " + std::to_string(static_cast<std::int64_t>(run.record.id));
}

// Whether a person's "now" has, or may have, a question that is not out yet.
bool waited_for(const AnalysisRun& run) {
    return run.now_due || (!run.ready.empty() && run.ready.front().urgent);
}

} // namespace

void Core::schedule_fill() {
    if (fill_scheduled_ || stopping_) {
        return;
    }
    fill_scheduled_ = true;
    scope_.post([this] {
        fill_scheduled_ = false;
        if (!stopping_ && begun_) {
            fill_all();
        }
    });
}

void Core::fill_all() {
    const HoldWatch::Hold hold{watch_, "plan"};
    for (const auto& engine : engines_) {
        attempt("giving work to engine " + engine->profile.name, [&] { fill(*engine); });
    }
    take_stock();
}

// Of those that may not work: how far their trees are, and what they rest on.
void Core::take_stock() {
    for (const auto& run : runs_) {
        const bool looked_at = !only_ || run->record.id == *only_;
        if (run->slot != nullptr && looked_at && run->in_flight == 0 &&
            (run->recount || !run->planned) && !may_work(*run)) {
            const auto look = [&] {
                replan(*run);
                run->ready.clear();
                run->stale = true; // what is missing is found when it may work
                run->changed = true;
                refresh_state(*run);
            };
            attempt(place_of(*run), look, run.get());
        }
    }
}

bool Core::exhausted(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    return run.spent || (budget.positions && expanded_positions(run) >= *budget.positions) ||
           (budget.nodes && run.usage.nodes + run.nodes_out >= *budget.nodes) ||
           (budget.engine_seconds &&
            static_cast<double>(run.usage.engine_ms) / 1000.0 >= *budget.engine_seconds) ||
           (budget.until && now() >= *budget.until);
}

bool Core::may_work(const AnalysisRun& run) const {
    if (run.slot == nullptr || !run.seeds_read || run.record.state == AnalysisState::paused ||
        run.record.state == AnalysisState::failed || !store_problem_.empty()) {
        return false;
    }
    if (only_ && run.record.id != *only_) {
        return false;
    }
    if (run.spec.window && !run.spec.window->contains(local_minute_of_day(now()))) {
        return false;
    }
    return !exhausted(run);
}

analysis::QuestionState Core::question_state(const GraphSlot& slot, const Asked& asked) const {
    analysis::QuestionState state = slot.state(asked);
    for (const auto& [key, other] : slots_) {
        if (state != analysis::QuestionState::open) {
            break;
        }
        if (other.get() != &slot && key.engine == slot.engine().id) {
            const auto node = other->graph().find(slot.graph().position(asked.node).packed());
            state = node ? other->state({*node, asked.limit, asked.excluded}) : state;
        }
    }
    return state;
}

// What the budget leaves when all that is out has cost its limit; nullopt: no budget of nodes.
std::optional<std::uint64_t> Core::nodes_left(const AnalysisRun& run) const {
    if (!run.spec.budget.nodes) {
        return std::nullopt;
    }
    const std::uint64_t gone = run.usage.nodes + run.nodes_out;
    return *run.spec.budget.nodes - std::min(*run.spec.budget.nodes, gone);
}

// A question of the analysis's limit may be the one that uses up the budget. Larger ones must fit
// into what is left, and so must all that a GUI has asked for.
bool Core::affords(const AnalysisRun& run, const analysis::Limit& limit) const {
    const auto left = nodes_left(run);
    const bool small = limit == run.record.limit && !run.transient;
    return !left || small || limit.kind != analysis::Limit::Kind::nodes || limit.amount <= *left;
}

analysis::PlanRequest Core::request_at(const AnalysisRun& run, int refine) const {
    const GraphSlot& slot = *run.slot;
    std::vector<analysis::NodeId> before = line_to_root(run);
    before.pop_back();
    // What others searched deeper is not this engine's measure, where it is not the strategy that
    // searches deeper.
    const bool one_limit =
        !slot.accepted().empty() && run.spec.strategy.kind != analysis::StrategyKind::anchored;
    const EngineSlot* engine = engine_of(run);
    auto left_for_each = nodes_left(run); // when all processes get the same
    if (left_for_each && engine != nullptr) {
        *left_for_each /= std::max<std::size_t>(1, engine->profile.count);
    }
    return {slot.graph(),
            run.root_node,
            run.record.limit,
            run.spec.strategy,
            refine,
            run.steering,
            [this, &run, one_limit](analysis::NodeId node, const analysis::Limit& limit,
                                    const std::vector<chess::Move>& excluded) {
                if (one_limit && analysis::effort(limit) > analysis::effort(run.record.limit)) {
                    return analysis::QuestionState::dead;
                }
                return question_state(*run.slot, {node, limit, excluded});
            },
            tasks_per_plan,
            &run.seeds,
            std::move(before),
            left_for_each};
}

analysis::Plan Core::plan_at(const AnalysisRun& run, int refine) const {
    return analysis::make_plan(request_at(run, refine));
}

// Submits the analysis's next task, if it has one; of those that a person waits for only, if so
// said.
bool Core::next_task(EngineSlot& engine, AnalysisRun& run, bool only_urgent) {
    if (!may_work(run)) {
        return false;
    }
    if (engine.profile.reproducible) {
        only_urgent = only_urgent || run.in_flight >= options_.reproducible_window;
        if (only_urgent && !waited_for(run)) {
            return false;
        }
        if (run.stale || run.ready.empty()) {
            replan(run);
        }
    } else if (run.now_due ||
               (run.stale && (run.ready.empty() || run.answers_since_plan > run.plan_size / 100))) {
        replan(run);
    }
    bool too_dear = false;
    while (!run.ready.empty() && (!only_urgent || run.ready.front().urgent)) {
        analysis::Task task = std::move(run.ready.front());
        run.ready.pop_front();
        if (run.slot->graph().exact(task.node)) {
            continue; // nobody is asked what is known
        }
        if (!affords(run, task.limit)) {
            too_dear = true;
            continue;
        }
        if (question_state(*run.slot, {task.node, task.limit, task.excluded}) ==
            analysis::QuestionState::open) {
            submit(engine, run, std::move(task));
            return true;
        }
    }
    // What is out may cost less than its limits; if nothing is, nothing more can be paid for.
    run.spent = too_dear && run.ready.empty() && run.in_flight == 0;
    return false;
}

void Core::submit(EngineSlot& engine, AnalysisRun& run, analysis::Task task) {
    const engine_bridge::JobId id = next_job_++;
    const chess::Position position = run.slot->graph().position(task.node);
    engine_bridge::Job job{id, position, {}, {}, affinity_of(run, task), task.urgent};
    job.watched = (run.transient && task.node == run.root_node) || looks_ahead(engine, run);
    job.game = run.game;
    job.limit = task.limit;
    if (!task.excluded.empty()) {
        for (const chess::Move move : position.legal_moves()) {
            if (!std::binary_search(task.excluded.begin(), task.excluded.end(), move)) {
                job.searchmoves.push_back(move);
            }
        }
    }
    Out out;
    out.info = {
        run.record.id, std::move(task.line), {task.node, task.limit, std::move(task.excluded)}};
    out.engine = &engine;
    out.slot = run.slot;
    out.sequence = run.next_sequence++;
    out.urgent = task.urgent;
    engine.urgent_out += task.urgent ? 1 : 0;
    run.slot->mark_pending(out.info.asked, id);
    // What a transient analysis has spent dies with it.
    recorder_->expect(id, {{position.packed(), run.slot->engine().id, out.info.asked.limit,
                            out.info.asked.excluded},
                           run.transient ? std::nullopt : std::optional{run.record.id},
                           run.slot->attempts(out.info.asked),
                           run.transient && out.info.asked.node == run.root_node});
    out_.emplace(id, std::move(out));
    run.goes_out(task.limit);
    ++run.served;
    run.served_at = now();
    const double due_now = due(engine, run);
    run.turn = due_now + static_cast<double>(run.place);
    if (!job.urgent) { // what a person waits for goes out of turn
        engine.rounds[run.record.priority] = due_now;
    }
    engine.workers->submit(std::move(job));
}

// Those of one priority share equally as long as they stand in the order in which they were made.
// Each younger one that a person has put ahead of an analysis makes its turns rarer: one is had for
// every two, two for every three: start-time fair queueing (Goyal, Vin, Cheng 1996) with weights
// 1/place. Who comes back from a pause is not owed what went by.
double Core::due(const EngineSlot& engine, const AnalysisRun& run) const {
    const auto round = engine.rounds.find(run.record.priority);
    return std::max(run.turn, round == engine.rounds.end() ? 0.0 : round->second);
}

void Core::count_places(const EngineSlot& engine) {
    std::map<int, std::vector<analysis::AnalysisId>> at_work; // sorted
    for (const auto& run : runs_) {                           // in the queue's order
        if (run->record.profile == engine.profile.name) {
            auto& ahead = at_work[run->record.priority];
            const auto younger = std::ranges::upper_bound(ahead, run->record.id);
            run->place = static_cast<std::size_t>(ahead.end() - younger) + 1;
            if (run->record.state == AnalysisState::running) {
                ahead.insert(younger, run->record.id);
            }
        }
    }
}

void Core::fill(EngineSlot& engine) {
    count_places(engine);
    std::vector<AnalysisRun*> able;
    for (const auto& run : runs_) {
        if (run->record.profile == engine.profile.name) {
            if (may_work(*run) && engine.identity && run->slot->engine().id == engine.id) {
                able.push_back(run.get());
            }
        }
    }
    // A person's "now" first, then priority, then whose turn it is.
    const bool reproducible = engine.profile.reproducible;
    while (!able.empty()) {
        const auto best = std::min_element(
            able.begin(), able.end(), [&](const AnalysisRun* a, const AnalysisRun* b) {
                const bool a_urgent = waited_for(*a);
                const bool b_urgent = waited_for(*b);
                return std::make_tuple(!a_urgent, -a->record.priority, due(engine, *a),
                                       a->record.rank) <
                       std::make_tuple(!b_urgent, -b->record.priority, due(engine, *b),
                                       b->record.rank);
            });
        // What a person waits for passes the queue, so that the next process to be free takes it;
        // no more of it than there are processes, so that the queue stays short.
        const bool full = !reproducible && engine.workers->room() == 0;
        if (full && (!waited_for(**best) || engine.urgent_out >= engine.profile.count)) {
            break;
        }
        bool given = false;
        const auto give = [&] { given = next_task(engine, **best, full); };
        if (!attempt(place_of(**best), give, *best) || !given) {
            able.erase(best);
        }
    }
    look_ahead(engine);
    for (const auto& run : runs_) {
        if (run->record.profile == engine.profile.name) {
            attempt(
                place_of(*run), [&] { refresh_state(*run); }, run.get());
        }
    }
}

std::size_t Core::expanded_positions(const AnalysisRun& run) const {
    return run.slot == nullptr ? 0 : run.slot->positions_of_root(run.root_node);
}

void Core::tick() {
    timer_.expires_after(tick_interval);
    timer_.async_wait(scope_.bind([this](boost::system::error_code error) {
        if (error || stopping_) {
            return;
        }
        look_after();
        tick();
    }));
}

void Core::look_after() {
    const HoldWatch::Hold hold{watch_, "tick"};
    attempt("looking after the store", [&] { look_at_store(); });
    attempt("asking again what was not answered", [&] { retry_unanswered(); });
    attempt("telling what has changed", [&] { tell_changes(); });
    schedule_fill(); // windows and budgets depend on the clock
}

void Core::look_at_store() {
    if (!health_.look(std::chrono::steady_clock::now())) {
        return;
    }
    store_problem_ = health_.problem();
    if (store_problem_.empty()) {
        spdlog::info("the store can be used again");
    } else {
        spdlog::error("the store cannot be used: {}", store_problem_);
    }
    for (const auto& run : runs_) {
        run->changed = true;
        if (store_problem_.empty()) {
            save(*run); // what became of it meanwhile
        }
    }
}

} // namespace adjourn::server
