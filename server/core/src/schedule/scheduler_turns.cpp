// Scheduler, analyses whose answers take effect in turn (decision 105). Their questions are those
// that the plan wants on the answers that have taken effect, in its order, so many at a time. The
// store is asked first, then engines. Whoever has an answer, and when: the sequence is the same.
#include "core/schedule/scheduler.hpp"

#include "base/capped_sum.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

bool waits(const Turn& turn, Turn::Place place) {
    return !turn.outcome && turn.place == place;
}

} // namespace

void Scheduler::take_turns(AnalysisRun& run) {
    if (!run.seeds_read || run.unreadable) {
        return;
    }
    const auto now = options_.clock();
    if (run.out.put_off && now >= *run.out.put_off && planner_.in_window(run)) {
        run.out.put_off.reset();
        run.out.put_aside.clear();
        run.plan.stale = true;
    }
    // Again with those that have their turn now, as long as there is room: the plan is long enough
    // once it has nothing more.
    bool plan = run.plan.stale;
    do {
        if (plan) {
            planner_.replan(run);
        }
        plan = add_turns(run) && run.plan.ready.empty() &&
               run.out.turns.size() < options_.reproducible_window;
    } while (plan);
    look_up(run);
    put_aside(run);
    see_whether_caught_up(run);
}

// Whether there was one to add.
bool Scheduler::add_turns(AnalysisRun& run) {
    const std::size_t before = run.out.turns.size();
    bool too_dear = false;
    while (!run.plan.ready.empty() && !planner_.used_up(run) &&
           (run.out.turns.size() < options_.reproducible_window || run.plan.ready.front().urgent)) {
        Turn turn{run.plan.take(), {}};
        const NodeQuestion asked = turn.asked();
        if (!planner_.pays(run, asked.limit)) {
            too_dear = true;
            continue;
        }
        if (run.slot->graph().exact(asked.node) || run.out.put_aside.contains(asked) ||
            graphs_.state(*run.slot, asked) != analysis::QuestionState::open) {
            continue;
        }
        turn.question = {run.slot->graph().position(asked.node).packed(), run.slot->engine().id,
                         asked.limit, asked.excluded};
        run.slot->mark_pending(asked, false);
        run.out.nodes += AnalysisOut::nodes_of(asked.limit);
        run.out.turns.push_back(std::move(turn));
    }
    run.out.spent = too_dear && run.plan.ready.empty() && run.out.turns.empty();
    return run.out.turns.size() > before;
}

// ---- the store ----

void Scheduler::look_up(AnalysisRun& run) {
    std::vector<analysis::Question> questions;
    const std::uint64_t reading = ++readings_;
    for (Turn& turn : run.out.turns) {
        if (waits(turn, Turn::Place::unknown) && !waits_for_others(run, turn)) {
            turn.place = Turn::Place::reading;
            turn.reading = reading;
            questions.push_back(turn.question);
        }
    }
    if (questions.empty()) {
        return;
    }
    graphs_.look_up(std::move(questions),
                    [this, id = run.record.id, reading](const Graphs::Answers* found) {
                        if (AnalysisRun* const asker = queue_.find(id)) {
                            looked_up(*asker, reading, found);
                        }
                    });
}

// `found`: null if the store cannot be read though it works, or is damaged.
void Scheduler::looked_up(AnalysisRun& run, std::uint64_t reading, const Graphs::Answers* found) {
    for (Turn& turn : run.out.turns) {
        if (turn.reading != reading || !waits(turn, Turn::Place::reading)) {
            continue; // of another reading, or its answer came meanwhile
        }
        if (found == nullptr) {
            turn.place = Turn::Place::unknown; // for a person to let it go on
        } else if (const auto answer = found->find(turn.question); answer != found->end()) {
            give(run, turn, Answered{answer->second, 0, 0, false});
        } else {
            turn.place = Turn::Place::missing;
        }
    }
    if (found != nullptr) {
        fill_soon();
    } else {
        run.unreadable = true;
        fail(run, "the store cannot be read");
    }
}

void Scheduler::came(const analysis::Evaluation& fact) {
    for (const auto& run : queue_.runs()) {
        if (!run->in_turn() || run->slot->engine().id != fact.question.engine || !usable(fact)) {
            continue;
        }
        for (Turn& turn : run->out.turns) {
            if (!turn.outcome && turn.question == fact.question) {
                give(*run, turn, Answered{fact, 0, 0, false});
            }
        }
    }
}

void Scheduler::look_again() {
    for (const auto& run : queue_.runs()) {
        for (Turn& turn : run->out.turns) {
            if (waits(turn, Turn::Place::missing)) {
                turn.place = Turn::Place::unknown;
            }
        }
    }
}

// ---- engines ----

// Whether an engine has the question already, for whomever.
bool Scheduler::waits_for_others(AnalysisRun& run, Turn& turn) {
    const auto found = std::ranges::find_if(
        out_, [&](const auto& entry) { return entry.second.question == turn.question; });
    if (found == out_.end()) {
        return false;
    }
    auto& [job, out] = *found;
    turn.place = Turn::Place::out;
    turn.job = job;
    ++run.out.in_flight;
    run.slot->mark_pending(turn.asked(), true);
    if (out.info.analysis == analysis::AnalysisId{}) {
        out.info = {run.record.id, turn.planned.line, turn.asked(), nullptr};
    }
    if (turn.planned.urgent) {
        make_urgent(job, out);
    }
    return true;
}

// Whether nobody, and no trouble, keeps it from asking.
bool Scheduler::may_ask(const AnalysisRun& run) const {
    return run.record.state != AnalysisState::paused && run.record.state != AnalysisState::failed &&
           health_.store_problem().empty() && (!only_ || run.record.id == *only_);
}

// What only an engine could answer, and time is too short for, is left out. What the store has
// costs no time.
void Scheduler::put_aside(AnalysisRun& run) {
    for (Turn& turn : run.out.turns) {
        const analysis::Limit& limit = turn.planned.limit;
        if (!waits(turn, Turn::Place::missing)) {
            continue;
        }
        const bool hours = turn.planned.urgent || planner_.fits_in_hours(run, limit);
        if (hours && !planner_.time_is_up(run) && planner_.in_time(run, limit)) {
            continue;
        }
        if (!hours) {
            run.out.put_off = planner_.hours_end(run);
        }
        run.out.put_aside.insert(turn.asked());
        give(run, turn, Dropped{});
    }
}

void Scheduler::ask_missing(EngineSlot& engine, AnalysisRun& run) {
    if (!may_ask(run) || !planner_.in_window(run)) {
        return;
    }
    for (const bool urgent : {true, false}) {
        for (Turn& turn : run.out.turns) {
            if (turn.planned.urgent == urgent && waits(turn, Turn::Place::missing) &&
                !waits_for_others(run, turn)) {
                turn.job = submit(engine, run, turn.planned);
                turn.place = Turn::Place::out;
            }
        }
    }
}

// An engine has given the question back. What it has answered has come already.
void Scheduler::came_back(engine_bridge::JobId job, const Out& out, Outcome outcome) {
    for (const auto& run : queue_.runs()) {
        for (Turn& turn : run->out.turns) {
            if (!waits(turn, Turn::Place::out) || turn.job != job) {
                continue;
            }
            if (std::holds_alternative<Unanswered>(outcome) && run->record.id == out.payer) {
                give(*run, turn, std::exchange(outcome, Dropped{}));
            } else { // it keeps its turn
                --run->out.in_flight;
                turn.place = Turn::Place::unknown;
                turn.job = 0;
                run->slot->mark_pending(turn.asked(), false);
            }
        }
    }
}

void Scheduler::release(const AnalysisRun& run) {
    for (auto& [job, out] : out_) {
        if (out.slot == nullptr && out.info.analysis == run.record.id) {
            out.info.analysis = {};
        }
    }
}

// ---- taking effect ----

void Scheduler::give(AnalysisRun& run, Turn& turn, Outcome outcome) {
    run.out.in_flight -= turn.place == Turn::Place::out ? 1 : 0;
    turn.outcome = std::move(outcome);
    step_soon(run);
}

// One answer at a time: after each, the plan is another one.
void Scheduler::step_soon(AnalysisRun& run) {
    if (!std::exchange(run.out.stepping, true)) {
        core_.post([this, id = run.record.id] {
            AnalysisRun* const then = stopping_ ? nullptr : queue_.find(id);
            if (then == nullptr) {
                return;
            }
            then->out.stepping = false;
            const HoldWatch::Hold hold{health_.watch(), "turn"};
            attempt("an answer whose turn has come", *then, [&] { step(*then); });
        });
    }
}

void Scheduler::step(AnalysisRun& run) {
    if (!run.in_turn() || run.out.turns.empty() || !run.out.turns.front().outcome) {
        return;
    }
    const Turn turn = std::move(run.out.turns.front());
    run.out.turns.pop_front();
    const NodeQuestion asked = turn.asked();
    run.out.nodes -= AnalysisOut::nodes_of(asked.limit);
    run.slot->unmark_pending(asked);
    if (const auto* answered = std::get_if<Answered>(&*turn.outcome)) {
        run.out.nodes_in_turn = base::capped_sum(run.out.nodes_in_turn, answered->fact.nodes);
        run.out.ms_in_turn += answered->fact.time_ms;
        run.plan.recount = true;
        graphs_.apply_in_turn(*run.slot, answered->fact);
    } else {
        if (const auto* failed = std::get_if<Unanswered>(&*turn.outcome)) {
            run.slot->mark_failed(asked, failed->reason, failed->attempts, failed->at);
        }
        facts_came(*run.slot);
        fill_soon();
    }
    take_turns(run);
    if (!run.out.turns.empty() && run.out.turns.front().outcome) {
        step_soon(run);
    }
}

// What follows now is what engines have still to say.
void Scheduler::see_whether_caught_up(AnalysisRun& run) {
    const bool waiting = run.out.turns.empty() ||
                         waits(run.out.turns.front(), Turn::Place::missing) ||
                         waits(run.out.turns.front(), Turn::Place::out);
    if (run.replaying && waiting) {
        run.replaying = false;
        run.changed = true;
        fill_soon();
        if (options_.caught_up) {
            options_.caught_up();
        }
    }
}

void Scheduler::when_caught_up(std::function<void()> call) {
    when_caught_up_.push_back(std::move(call));
    tell_caught_up();
}

void Scheduler::tell_caught_up() {
    if (std::ranges::none_of(queue_.runs(), [](const auto& run) { return run->replaying; })) {
        for (const auto& call : std::exchange(when_caught_up_, {})) {
            call();
        }
    }
}

} // namespace adjourn::server
