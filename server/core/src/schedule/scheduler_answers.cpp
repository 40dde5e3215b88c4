// Scheduler, what comes back: outcomes take effect, and analyses get their state.
#include "core/schedule/scheduler.hpp"

#include "core/graphs/node_directives.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

// Of the root and all its moves but those that people left out.
bool of_whole_root(const AnalysisRun& run, const NodeQuestion& asked) {
    if (asked.node != run.root_node) {
        return false;
    }
    return asked.excluded == excluded_moves(run, run.root_node);
}

} // namespace

void Scheduler::heard(engine_bridge::JobId job, engine_bridge::BestLine line) {
    const HoldWatch::Hold hold{health_.watch(), "fact"};
    const JobInfo* info = this->job(job);
    AnalysisRun* const run = info == nullptr ? nullptr : queue_.find(info->analysis);
    if (run == nullptr || !of_whole_root(*run, info->asked)) {
        return;
    }
    run->out.last_report = std::move(line);
    health_.attempt("an answer that came", [&] { tell(*run); });
}

void Scheduler::ended(engine_bridge::JobId job, Recorder::Ending ending) {
    const HoldWatch::Hold hold{health_.watch(), "fact"};
    health_.attempt("an answer that came", [&] { take_effect(job, std::move(ending)); });
    if (options_.came_back) {
        options_.came_back();
    }
}

void Scheduler::take_effect(engine_bridge::JobId job, Recorder::Ending ending) {
    auto node = out_.extract(job);
    if (!node.empty()) {
        Out& out = node.mapped();
        EngineSlot& engine = *out.engine;
        AnalysisRun* run = queue_.find(out.info.analysis);
        engine.changed = true;
        if (!ending.engine_problem.empty()) {
            engine.problem = std::move(ending.engine_problem);
        } else if (std::holds_alternative<Answered>(ending.outcome)) {
            engine.problem.clear();
        }
        if (ending.found && run != nullptr && out.info.asked.node == run->root_node &&
            run->slot == out.slot) {
            run->out.last_report = std::move(ending.found);
        }
        // To ask again what was refused would be refused again.
        if (!ending.not_stored.empty() && queue_.store_works()) {
            ending.outcome = Unanswered{std::move(ending.not_stored), 1, options_.clock()};
        }
        if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
            const auto position = chess::Position::unpack(out.question.position);
            spdlog::warn("engine {}: no answer for {} after {} attempts: {}", engine.profile.name,
                         position ? position->fen() : "?", failed->attempts, failed->reason);
        }
        if (out.urgent) {
            for (const auto& other :
                 queue_.runs()) { // the next question about the position may be due
                other->plan.now_due = other->plan.now_due || waits_for_now(*other);
            }
        }
        const auto apply_it = [&] {
            AnalysisRun* const payer = queue_.find(out.payer);
            const auto* answered = std::get_if<Answered>(&ending.outcome);
            if (payer != nullptr && answered != nullptr) {
                count(*payer, *answered);
            }
            if (run != nullptr) {
                run->out.comes_back(out.info.asked.limit);
                if (out.info.bill) {
                    run->out.forget_paid(out.info.bill->parts());
                }
            }
            apply(*out.slot, out.info.asked, ending.outcome);
        };
        const auto attempt = health_.attempt("an answer that came", apply_it);
        if (attempt.own && run != nullptr) {
            fail(*run, to_text(*attempt.own));
        }
    }
    fill_soon();
}

void Scheduler::count(AnalysisRun& payer, const Answered& answered) {
    payer.usage.evaluations_new += answered.fresh ? 1 : 0;
    payer.pay({answered.nodes, answered.engine_ms});
    if (answered.fresh) {
        payer.asked.insert(answered.fact.id);
    }
}

void Scheduler::apply(GraphSlot& slot, const NodeQuestion& asked, const Outcome& outcome) {
    slot.unmark_pending(asked);
    if (const auto* failed = std::get_if<Unanswered>(&outcome)) {
        slot.mark_failed(asked, failed->reason, failed->attempts, failed->at);
    }
    if (const auto* answered = std::get_if<Answered>(&outcome)) {
        graphs_.apply(answered->fact);
    } else {
        facts_came(slot);
    }
}

void Scheduler::facts_came(const GraphSlot& slot) {
    for (const auto& run : queue_.runs()) {
        if (run->slot == &slot) {
            run->plan.facts_came();
            run->changed = true;
        }
    }
}

const JobInfo* Scheduler::job(engine_bridge::JobId id) const {
    const auto found = out_.find(id);
    return found == out_.end() ? nullptr : &found->second.info;
}

} // namespace adjourn::server
