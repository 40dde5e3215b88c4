// Scheduler, what people are told that an analysis does.
#include "core/schedule/scheduler.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

constexpr analysis::UnixMs outranked_after = 5'000; // ms without a question
constexpr const char* of_higher_priority = "waits for analyses of higher priority";

// By which rule the game is over; "" if it is not.
std::string ended_by(const chess::Position& position) {
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return "checkmate";
    case chess::Terminal::stalemate: return "stalemate";
    case chess::Terminal::dead: return "draw: dead position";
    case chess::Terminal::no: break;
    }
    return "";
}

} // namespace

// Whether an engine has a question of it.
bool Scheduler::at_work(const AnalysisRun& run) const {
    return std::ranges::any_of(out_, [&](const auto& entry) {
        return entry.second.info.analysis == run.record.id &&
               !entry.second.engine->dispatcher->waits(entry.first);
    });
}

// No engine is at it, nor got a question of it for a while, since others go before it.
bool Scheduler::outranked(const AnalysisRun& run) const {
    return options_.steady() - run.out.served_at >= outranked_after &&
           std::ranges::any_of(queue_.runs(),
                               [&](const auto& other) {
                                   return other->record.profile == run.record.profile &&
                                          other->record.priority > run.record.priority &&
                                          other->record.state == AnalysisState::running;
                               }) &&
           (run.out.in_flight == 0 || !at_work(run));
}

// What an analysis is, not what it happens to do: one at work runs also between two questions.
AnalysisState Scheduler::state_of(const AnalysisRun& run, std::string& reason) const {
    const AnalysisState before = run.record.state;
    if (run.out.in_flight > 0) {
        const bool waits = outranked(run);
        reason = waits ? of_higher_priority : "";
        return waits ? AnalysisState::queued : AnalysisState::running;
    }
    if (run.plan.finished && !run.plan.failure.empty()) {
        reason = run.plan.failure;
        return AnalysisState::failed;
    }
    if (run.plan.finished) {
        const std::string ended = ended_by(run.root);
        reason = ended.empty() ? run.plan.stopped : ended;
        return AnalysisState::settled;
    }
    if (run.slot != nullptr && planner_.exhausted(run)) {
        reason = "the budget is used up";
        return AnalysisState::exhausted;
    }
    const EngineSlot* engine = engines_.of(run);
    if (run.reading()) {
        reason = reading_evaluations;
    } else if (!health_.store_problem().empty()) {
        reason = "the store cannot write: " + health_.store_problem();
    } else if (engine == nullptr) {
        reason = "no engine is named '" + run.record.profile + "' in the config";
    } else if (!engine->problem.empty()) {
        reason = engine->problem;
    } else if (!planner_.in_window(run)) {
        reason = "waits for " + run.spec.window->text();
    } else if (run.spec.window && run.out.put_off && run.plan.ready.empty()) {
        reason = "the next search would not end within " + run.spec.window->text();
    } else if (outranked(run)) {
        reason = of_higher_priority;
    } else if (may_work(run) && engine->identity &&
               (run.plan.planned || before == AnalysisState::running)) {
        return AnalysisState::running;
    }
    return AnalysisState::queued;
}

void Scheduler::refresh_state(AnalysisRun& run) {
    const AnalysisState before = run.record.state;
    // Facts that others brought may have moved a settled tree: that is known when it was looked at.
    const bool unseen =
        !run.plan.planned || (run.plan.stale && run.plan.ready.empty() && run.out.in_flight == 0);
    const bool stays = before == AnalysisState::paused || before == AnalysisState::failed ||
                       (before == AnalysisState::settled && unseen);
    if (!stays) {
        std::string reason;
        const AnalysisState state = state_of(run, reason);
        if (state != before || reason != run.record.state_reason) {
            run.record.state = state;
            run.record.state_reason = std::move(reason);
            queue_.save(run);
        }
    }
    tell(run);
}

} // namespace adjourn::server
