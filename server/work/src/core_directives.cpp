// Core, what people say about positions: whether it can have an effect, and what "now" does to
// questions that wait already.
#include "work/core.hpp"

#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

std::string Core::why_idle(const AnalysisRun& run) const {
    const EngineSlot* engine = engine_of(run);
    if (!store_problem_.empty()) {
        return "the store cannot write: " + store_problem_;
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
    if (run.spec.window && !run.spec.window->contains(local_minute_of_day(now()))) {
        return "the analysis works in its time window only, " + run.spec.window->text();
    }
    return run.slot != nullptr && exhausted(run) ? "the budget of the analysis is used up" : "";
}

std::optional<WorkError> Core::futile(AnalysisRun& run, const std::vector<chess::Move>& line,
                                      const std::string& action) {
    if (action != "include" && action != "deepen" && action != "now") {
        return std::nullopt;
    }
    const auto refuse = [](std::string reason) {
        return WorkError{WorkError::Kind::futile_line, std::move(reason)};
    };
    const bool needs_line = action != "now"; // what is wanted now is asked wherever it is
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
        if (last) {
            break;
        }
        const auto said = node && needs_line ? run.steering.find(*node) : run.steering.end();
        if (said != run.steering.end() &&
            std::find(said->second.excluded.begin(), said->second.excluded.end(), line[i]) !=
                said->second.excluded.end()) {
            return refuse(chess::to_san(position, line[i]) + " is excluded in " + position.fen() +
                          "; clear that first");
        }
        position.play(line[i]);
    }
    const std::string reason = action == "now" ? why_idle(run) : "";
    return reason.empty()
               ? std::nullopt
               : std::optional{WorkError{WorkError::Kind::futile_now, "not now: " + reason}};
}

void Core::hurry(const chess::Position& position, const AnalysisRun& run) {
    if (run.slot == nullptr) {
        return;
    }
    for (const auto& [key, slot] : slots_) {
        const auto node = slot->graph().find(position.packed());
        if (key.engine != run.slot->engine().id || !node) {
            continue;
        }
        for (const engine_bridge::JobId job : slot->jobs_at(*node)) {
            if (const auto found = out_.find(job); found != out_.end()) {
                Out& out = found->second;
                out.engine->urgent_out += out.urgent ? 0 : 1;
                out.urgent = true;
                out.engine->workers->hurry(job);
            }
        }
    }
}

} // namespace adjourn::server
