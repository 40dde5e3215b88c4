// Scheduler: what people ask for at once, and what a second engine is asked.
#include "core/schedule/scheduler.hpp"

#include "chess/notation.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>

namespace adjourn::server {

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
            run.slot == nullptr ? std::nullopt : std::optional{run.slot->intern(position)};
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

void Scheduler::ask_second(EngineSlot& second, AnalysisRun& run,
                           analysis::PlannedQuestion question) {
    const analysis::Question asked{run.slot->graph().position(question.node).packed(), second.id,
                                   question.limit, question.excluded};
    const bool out = std::ranges::any_of(
        out_, [&](const auto& entry) { return entry.second.info.search.question == asked; });
    if (begun_ && !stopping_ && !out && may_work(run) && planner_.affords(run, question.limit) &&
        planner_.fits_in_hours(run, question.limit)) {
        submit(second, run, std::move(question));
    }
}

void Scheduler::hurry(const AnalysisRun& run, const chess::Position& position) {
    if (run.slot == nullptr) {
        return;
    }
    const analysis::EngineId engine = run.slot->engine().id;
    for (auto& [job, out] : out_) {
        const analysis::Question& question = out.info.search.question;
        if (question.engine == engine && question.position == position.packed()) {
            make_urgent(job, out);
        }
    }
}

void Scheduler::make_urgent(engine_bridge::JobId job, Out& out) {
    out.urgent = true;
    out.engine->dispatcher->hurry(job);
}

} // namespace adjourn::server
