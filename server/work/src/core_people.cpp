// Core, changes by people: what the queue has made durable takes effect on graphs and work.
#include "graphs/steering.hpp"
#include "work/core.hpp"

#include <algorithm>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

std::unexpected<WorkError> no_such_analysis(AnalysisId id) {
    return std::unexpected(
        WorkError{WorkError::Kind::no_analysis,
                  "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))});
}

// Whether nothing that is searched changes by it: neither by a remark nor by taking one back.
bool is_remark(const AnalysisRun& run, const Directive& said) {
    const auto* retract = std::get_if<Retract>(&said.order);
    if (retract == nullptr) {
        return is_remark(said.order);
    }
    const auto notes = notes_of(run.directives);
    return std::ranges::any_of(notes, [&](const Directive* note) {
        return note->position == said.position && note->at == retract->given;
    });
}

} // namespace

std::expected<AnalysisId, WorkError> Core::create(NewAnalysis wanted) {
    const EngineSlot* engine = !wanted.engine.empty() ? engines_.named(wanted.engine)
                               : engines().empty()    ? nullptr
                                                      : engines().front().get();
    const auto run = queue_.create(std::move(wanted), engine == nullptr ? "" : engine->profile.name,
                                   engine == nullptr ? analysis::EngineId{} : engine->id);
    if (!run) {
        return std::unexpected(run.error());
    }
    if ((*run)->record.engine != analysis::EngineId{}) {
        graphs_.join(**run);
    }
    scheduler_.fill_soon();
    return (*run)->record.id;
}

std::expected<void, WorkError> Core::change(AnalysisId id, const AnalysisPatch& patch) {
    const auto changed = queue_.change(id, patch);
    if (!changed) {
        return std::unexpected(changed.error());
    }
    AnalysisRun& run = *changed->run;
    const bool goes_on = patch.hold == false; // a person says: try again
    if (goes_on && run.slot != nullptr) {
        run.slot->retry_failed();
        queue_.clear_failures(run.slot->engine().id);
    }
    const bool elsewhere = graphs_.rests_elsewhere(run);
    if (elsewhere || changed->tree) {
        look_again(run);
    }
    if (elsewhere || (goes_on && run.unreadable)) {
        change_graph(run);
    } else if (changed->tree || goes_on) {
        run.restart();
    }
    scheduler_.fill_soon();
    return {};
}

// How an analysis ended was said of the tree that it had: it is said again when this one was looked
// at.
void Core::look_again(AnalysisRun& run) {
    using storage::AnalysisState;
    const AnalysisState state = run.record.state;
    if (state == AnalysisState::settled || (state == AnalysisState::failed && !run.unreadable)) {
        run.record.state = AnalysisState::queued;
        run.record.state_reason = "";
        queue_.save(run);
    }
}

std::expected<void, WorkError> Core::remove(AnalysisId id) {
    const auto run = queue_.remove(id);
    if (!run) {
        return std::unexpected(run.error());
    }
    forget(**run);
    scheduler_.fill_soon();
    return {};
}

void Core::forget(AnalysisRun& run) {
    const AnalysisId id = run.record.id;
    scheduler_.cancel(id);
    lookout_.forget(id);
    leave_graph(run);
    queue_.erase(run);
    graphs_.let_go();
    if (options_.observer) {
        options_.observer->analysis_removed(id);
    }
}

void Core::hurry(AnalysisId id) {
    if (AnalysisRun* run = queue_.find(id)) {
        scheduler_.stop_root_search(*run);
    }
}

std::expected<Core::Given, WorkError> Core::direct(AnalysisId id,
                                                   const std::vector<chess::Move>& line,
                                                   const std::string& action,
                                                   const std::string& text) {
    auto said = queue_.directive(id, line, action, text);
    if (!said) {
        return std::unexpected(std::move(said.error()));
    }
    AnalysisRun& run = *said->run;
    if (auto reason = scheduler_.futile(run, said->directive)) {
        return std::unexpected(std::move(*reason));
    }
    const bool remark = is_remark(run, said->directive);
    const auto number = queue_.say(run, said->directive);
    if (!number) {
        return std::unexpected(number.error());
    }
    const Given given{*number, said->directive.at};
    if (remark) {
        run.changed = true;
        return given;
    }
    if (run.record.state == storage::AnalysisState::settled) {
        look_again(run);
    }
    if (graphs_.rests_elsewhere(run)) { // a move is excluded, or no longer
        change_graph(run);
    } else {
        rebuild_steering(run);
        run.restart();
    }
    if (std::holds_alternative<Now>(said->directive.order)) {
        scheduler_.hurry(run, said->position);
    }
    scheduler_.fill_soon();
    return given;
}

std::expected<const Look*, WorkError> Core::look(AnalysisId id, LookWish wish) {
    const AnalysisRun* run = queue_.find(id);
    if (run == nullptr) {
        return no_such_analysis(id);
    }
    return lookout_.begin(*run, std::move(wish));
}

std::expected<const Look*, WorkError> Core::change_look(AnalysisId id, LookId look,
                                                        const LookPatch& patch) {
    const AnalysisRun* run = queue_.find(id);
    if (run == nullptr) {
        return no_such_analysis(id);
    }
    return lookout_.change(*run, look, patch);
}

std::expected<void, WorkError> Core::stop_look(AnalysisId id, LookId look) {
    const AnalysisRun* run = queue_.find(id);
    if (run == nullptr) {
        return no_such_analysis(id);
    }
    return lookout_.stop(*run, look);
}

} // namespace adjourn::server
