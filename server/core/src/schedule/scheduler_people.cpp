// Scheduler, what people and the clock change: questions that are wanted now, no more, or again;
// why nothing is asked.
#include "core/schedule/scheduler.hpp"

#include "analysis/anchored.hpp"
#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

// Questions whose pause is over are asked again, also by analyses that ended for want of an answer.
void Scheduler::retry_unanswered() {
    for (GraphSlot* slot : graphs_.retry_due(options_.clock(), options_.steady())) {
        for (const auto& run : queue_.runs()) {
            if (run->slot != slot) {
                continue;
            }
            run->plan.stale = true;
            if (run->record.state == storage::AnalysisState::failed && run->lost.empty()) {
                run->plan.try_again();
                run->record.state = storage::AnalysisState::queued;
                run->record.state_reason = "";
                queue_.save(*run);
            }
        }
    }
}

void Scheduler::fail(AnalysisRun& run, const std::string& reason) {
    if (run.record.state == storage::AnalysisState::paused) {
        return; // tried, and told, when somebody lets it go on
    }
    run.plan.ready.clear();
    run.record.state = storage::AnalysisState::failed;
    run.record.state_reason = reason;
    run.changed = true;
    if (!run.unreadable) { // that is told anew at each start, as long as it is true
        queue_.save(run);
    }
    guarded("telling of an analysis", [&] { tell(run); });
}

std::string Scheduler::why_idle(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    if (!health_.store_problem().empty()) {
        return "the store cannot write: " + health_.store_problem();
    }
    if (run.record.state == AnalysisState::paused) {
        return "the analysis is paused";
    }
    if (run.record.state == AnalysisState::failed) {
        return "the analysis has failed: " + run.record.state_reason;
    }
    if (engine == nullptr) {
        return "no engine is named '" + run.record.profile + "' in the config";
    }
    if (!engine->identity && !engine->problem.empty()) {
        return "the engine does not work: " + engine->problem;
    }
    if (!planner_.in_window(run)) {
        return "the analysis works in its time window only, " + run.spec.window->text();
    }
    return is_spent(run) ? "the budget of the analysis is used up" : "";
}

bool Scheduler::is_spent(const AnalysisRun& run) const {
    return run.slot != nullptr && planner_.exhausted(run);
}

std::optional<WorkError> Scheduler::futile(AnalysisRun& run, const Directive& meant) const {
    const bool now = std::holds_alternative<Now>(meant.action);
    if (!now && !std::holds_alternative<Include>(meant.action) &&
        !std::holds_alternative<Deepen>(meant.action)) {
        return std::nullopt;
    }
    const auto refuse = [](std::string reason) {
        return WorkError{WorkError::Kind::futile_line, std::move(reason)};
    };
    const std::vector<chess::Move> line = *run.from_root(meant.line);
    const bool needs_line = !now; // what is wanted now is asked wherever it is
    chess::Position position = run.root;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const bool last = i == line.size();
        const auto node =
            run.slot == nullptr ? std::nullopt : std::optional{run.slot->graph().intern(position)};
        if (last && position.terminal() != chess::Terminal::no) {
            return refuse("the game is over in this position");
        }
        if (node && (last || needs_line) && run.slot->graph().exact(*node)) {
            return refuse("nothing is asked in " + position.fen() + ": its value is exact");
        }
        const auto here = node ? run.node_directives.find(*node) : run.node_directives.end();
        if (last && !std::holds_alternative<Include>(meant.action) &&
            here != run.node_directives.end() &&
            here->second.excluded.size() == position.legal_moves().size()) {
            return refuse("all moves are excluded in " + position.fen() + "; clear one first");
        }
        if (last) {
            break;
        }
        const auto said = needs_line ? here : run.node_directives.end();
        if (said != run.node_directives.end() &&
            std::find(said->second.excluded.begin(), said->second.excluded.end(), line[i]) !=
                said->second.excluded.end()) {
            return refuse(chess::to_san(position, line[i]) + " is excluded in " + position.fen() +
                          "; clear that first");
        }
        position.play(line[i]);
    }
    const std::string reason = now ? why_idle(run) : "";
    return reason.empty()
               ? std::nullopt
               : std::optional{WorkError{WorkError::Kind::futile_now, "not now: " + reason}};
}

std::optional<engine_bridge::JobId>
Scheduler::ask_now(AnalysisRun& run, analysis::PlannedQuestion question, Order order) {
    EngineSlot* engine = engines_.of(run);
    if (engine == nullptr || stopping_ || !begun_) {
        return std::nullopt;
    }
    return submit(*engine, run, std::move(question), std::move(order));
}

void Scheduler::hurry(const AnalysisRun& run, const chess::Position& position) {
    if (run.slot == nullptr) {
        return;
    }
    const analysis::EngineId engine = run.slot->engine().id;
    for (auto& [job, out] : out_) {
        if (out.question.engine == engine && out.question.position == position.packed()) {
            make_urgent(job, out);
        }
    }
}

void Scheduler::make_urgent(engine_bridge::JobId job, Out& out) {
    out.urgent = true;
    out.engine->dispatcher->hurry(job);
}

void Scheduler::root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before) {
    for (auto& [job, out] : out_) {
        if (out.info.analysis != run.record.id) {
            continue;
        }
        std::vector<chess::Move> line = before;
        line.insert(line.end(), out.info.line.begin(), out.info.line.end());
        auto below = run.from_root(line);
        if (!below) {
            out.engine->dispatcher->cancel(job);
        }
        out.info.line = std::move(below).value_or(std::vector<chess::Move>{});
    }
}

void Scheduler::cancel(analysis::AnalysisId id) {
    for (const auto& [job, out] : out_) {
        if (out.info.analysis == id) {
            out.engine->dispatcher->cancel(job);
        }
    }
}

void Scheduler::call_off_anchor(const AnalysisRun& run) {
    const double least = analysis::effort(analysis::anchor_limit(run.record.limit, 0));
    std::vector<engine_bridge::JobId> jobs; // what is cancelled may come back at once
    for (const auto& [job, out] : out_) {
        if (out.info.analysis == run.record.id && out.info.asked.node == run.root_node &&
            !out.urgent && analysis::effort(out.info.asked.limit) >= least) {
            jobs.push_back(job);
        }
    }
    for (const engine_bridge::JobId job : jobs) {
        engines_.dispatcher()->cancel(job);
    }
}

void Scheduler::stop_root_search(AnalysisRun& run) {
    EngineSlot* engine = engines_.of(run);
    if (engine == nullptr || !run.transient) {
        return;
    }
    run.record.state = AnalysisState::paused;
    for (const engine_bridge::ProcessStatus& process : engine->status()) {
        const JobInfo* info = process.job ? job(*process.job) : nullptr;
        if (info != nullptr && info->analysis == run.record.id &&
            info->asked.node == run.root_node) {
            engine->dispatcher->cancel(*process.job);
        }
    }
}

} // namespace adjourn::server
