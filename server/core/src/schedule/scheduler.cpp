// Scheduler, what goes out: whose turn it is, and what it needs next. scheduler_answers.cpp: what
// comes back; scheduler_states.cpp: the state that people are shown; scheduler_people.cpp: what
// people and the clock change.
#include "core/schedule/scheduler.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/schedule/affinity.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

std::string place_of(const AnalysisRun& run) {
    return "the work on analysis " + std::to_string(static_cast<std::int64_t>(run.record.id));
}

// Whether a person's "now" has, or may have, a question that is not out yet.
bool waited_for(const AnalysisRun& run) {
    return run.plan.now_due || (!run.plan.ready.empty() && run.plan.ready.front().urgent);
}

} // namespace

Scheduler::Scheduler(Queue& queue, Graphs& graphs, Planner& planner, const Engines& engines,
                     Health& health, Recorder recorder, base::TaskScope::Poster core,
                     Options options)
    : queue_{queue}, graphs_{graphs}, planner_{planner}, engines_{engines}, health_{health},
      recorder_{std::move(recorder)}, core_{std::move(core)}, options_{std::move(options)} {}

void Scheduler::tell(const AnalysisRun& run) const {
    if (options_.progress) {
        options_.progress(run);
    }
}

// What goes wrong with one analysis is its own trouble.
void Scheduler::attempt(std::string_view place, AnalysisRun& run,
                        const std::function<void()>& task) {
    if (const auto attempt = health_.attempt(place, task); attempt.own) {
        fail(run, to_text(*attempt.own));
    }
}

void Scheduler::fill_soon() {
    if (fill_scheduled_ || stopping_) {
        return;
    }
    fill_scheduled_ = true;
    core_.post([this] {
        fill_scheduled_ = false;
        if (!stopping_) {
            fill_all();
        }
    });
}

void Scheduler::fill_all() {
    const HoldWatch::Hold hold{health_.watch(), "plan"};
    if (!begun_) {
        return;
    }
    for (const auto& engine : engines_.all()) {
        health_.attempt("giving work to engine " + engine->profile.name, [&] { fill(*engine); });
    }
    take_stock();
}

// Of those that may not work: how far their trees are, and what they rest on.
void Scheduler::take_stock() {
    for (const auto& run : queue_.runs()) {
        const bool looked_at = !only_ || run->record.id == *only_;
        if (run->has_graph() && looked_at && run->out.in_flight == 0 &&
            (run->plan.recount || !run->plan.planned) && !may_work(*run)) {
            const auto look = [&] {
                planner_.replan(*run);
                refresh_state(*run);        // now it is known whether it has settled
                run->plan.drop_questions(); // found again when it may work
                run->changed = true;
            };
            attempt(place_of(*run), *run, look);
        } else if (engines_.of(*run) == nullptr) { // nobody gives it work, or says why not
            attempt(place_of(*run), *run, [&] { refresh_state(*run); });
        }
    }
}

bool Scheduler::may_work(const AnalysisRun& run) const {
    if (!run.has_graph() || !run.seeds_read || run.record.state == AnalysisState::paused ||
        run.record.state == AnalysisState::failed || !health_.store_problem().empty()) {
        return false;
    }
    if (only_ && run.record.id != *only_) {
        return false;
    }
    if (!planner_.in_window(run)) {
        return false;
    }
    return !planner_.exhausted(run);
}

// Submits the analysis's next question, if it has one; of those that a person waits for only, if so
// said.
bool Scheduler::next_task(EngineSlot& engine, AnalysisRun& run, bool only_urgent) {
    if (!may_work(run)) {
        return false;
    }
    if (engine.profile.reproducible) {
        if (run.out.in_flight > 0) {
            return false;
        }
        if (run.plan.stale && run.plan.planned) {
            run.restart(); // each question is planned as a start does: from what is stored alone
        }
    }
    if (run.out.put_off && options_.clock() >= *run.out.put_off) {
        run.out.put_off.reset();
        run.plan.stale = true;
    }
    if (run.plan.due()) {
        planner_.replan(run);
    }
    bool too_dear = false;
    while (!run.plan.ready.empty() && (!only_urgent || run.plan.ready.front().urgent)) {
        analysis::PlannedQuestion question = run.plan.take();
        if (run.slot->graph().exact(question.node)) {
            continue; // nobody is asked what is known
        }
        if (!planner_.affords(run, question.limit)) {
            too_dear = true;
            continue;
        }
        if (!question.urgent && !planner_.fits_in_hours(run, question.limit)) {
            run.out.put_off = planner_.hours_end(run);
            continue;
        }
        if (graphs_.state(*run.slot, {question.node, question.limit, question.excluded}) ==
            analysis::QuestionState::open) {
            submit(engine, run, std::move(question));
            // Processes that would wait for its answers look what the levels after it ask for.
            run.plan.stale |= run.plan.ready.empty() && room(engine) > engine.profile.count;
            return true;
        }
    }
    // What is out may cost less than its limits; if nothing is, nothing more can be paid for.
    run.out.spent = too_dear && run.plan.ready.empty() && run.out.in_flight == 0;
    return false;
}

engine_bridge::JobId Scheduler::submit(EngineSlot& engine, AnalysisRun& run,
                                       analysis::PlannedQuestion question, Order order) {
    const engine_bridge::JobId id = engine.dispatcher->next_id();
    const chess::Position position = run.slot->graph().position(question.node);
    engine_bridge::Job job{
        id, position, {}, {}, affinity_of(run.record.id, question.line), question.urgent};
    job.watched = run.transient && question.node == run.root_node;
    job.game = run.game;
    job.priority = run.record.priority;
    job.limit = question.limit;
    if (!question.excluded.empty()) {
        job.searchmoves = legal_moves_but(position, question.excluded);
    }
    Out out;
    out.info = {run.record.id,
                std::move(question.line),
                {question.node, question.limit, std::move(question.excluded)},
                run.transient ? nullptr : std::make_shared<Bill>()};
    out.engine = engine.shared_from_this();
    out.question = {position.packed(), run.slot->engine().id, out.info.asked.limit,
                    out.info.asked.excluded};
    out.payer = run.record.id;
    out.slot = run.slot;
    out.urgent = question.urgent;
    out.priority = run.record.priority;
    run.slot->mark_pending(out.info.asked);
    Recorder::Expected expected{
        out.question, run.record.id, run.slot->attempts(out.info.asked),
        [this, id](Recorder::Ending ending) { ended(id, std::move(ending)); }};
    expected.bill = out.info.bill;
    expected.order = std::move(order);
    if (run.transient) {
        expected.asked_by.reset(); // what it has spent dies with it
        if (out.info.asked.node == run.root_node) {
            expected.heard = [this, id](engine_bridge::BestLine line) {
                heard(id, std::move(line));
            };
        }
    }
    out_.emplace(id, std::move(out));
    run.out.goes_out(question.limit);
    ++run.out.served;
    run.out.served_at = options_.steady();
    const double due_now = due(engine, run);
    run.out.turn = due_now + static_cast<double>(run.out.place);
    if (!job.urgent) { // what a person waits for goes out of turn
        engine.rounds[run.record.priority] = due_now;
    }
    engine.dispatcher->submit(engine.index, std::move(job), recorder_.expect(std::move(expected)));
    return id;
}

// Those of one priority share equally as long as they stand in the order in which they were made.
// Each younger one that a person has put ahead of an analysis makes its turns rarer: one is had for
// every two, two for every three: start-time fair queueing (Goyal, Vin, Cheng 1996) with weights
// 1/place. Who comes back from a pause is not owed what went by.
double Scheduler::due(const EngineSlot& engine, const AnalysisRun& run) const {
    const auto round = engine.rounds.find(run.record.priority);
    return std::max(run.out.turn, round == engine.rounds.end() ? 0.0 : round->second);
}

std::size_t Scheduler::urgent_out(const EngineSlot& engine) const {
    return static_cast<std::size_t>(std::ranges::count_if(out_, [&](const auto& entry) {
        return entry.second.urgent && entry.second.engine.get() == &engine;
    }));
}

void Scheduler::count_places(const EngineSlot& engine) {
    std::map<int, std::vector<analysis::AnalysisId>> at_work; // sorted
    for (const auto& run : queue_.runs()) {                   // in the queue's order
        if (run->record.profile == engine.profile.name) {
            auto& ahead = at_work[run->record.priority];
            const auto younger = std::ranges::upper_bound(ahead, run->record.id);
            run->out.place = static_cast<std::size_t>(ahead.end() - younger) + 1;
            if (run->record.state == AnalysisState::running) {
                ahead.insert(younger, run->record.id);
            }
        }
    }
}

void Scheduler::fill(EngineSlot& engine) {
    count_places(engine);
    std::vector<AnalysisRun*> able;
    for (const auto& run : queue_.runs()) {
        if (run->record.profile == engine.profile.name) {
            if (!run->has_graph() || !engine.identity || run->slot->engine().id != engine.id) {
                continue;
            }
            if (may_work(*run)) {
                able.push_back(run.get());
            }
        }
    }
    // A person's "now" first, then priority, then whose turn it is.
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
        const auto no_room = [&](std::size_t but) {
            return engine.dispatcher->room(engine.index, but) == 0;
        };
        const bool full = no_room(0) && no_room(lower_out(engine, (*best)->record.priority));
        if (full && (!waited_for(**best) || urgent_out(engine) >= engine.profile.count)) {
            break;
        }
        bool given = false;
        attempt(place_of(**best), **best, [&] { given = next_task(engine, **best, full); });
        if (!given) {
            able.erase(best);
        }
    }
    for (const auto& run : queue_.runs()) {
        if (run->record.profile == engine.profile.name) {
            attempt(place_of(*run), *run, [&] { refresh_state(*run); });
        }
    }
}

} // namespace adjourn::server
