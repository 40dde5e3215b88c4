// Core, changes by people: made durable before they take effect.
#include "records/write_through.hpp"
#include "store_works.hpp"
#include "work/core.hpp"

#include <algorithm>

namespace adjourn::server {

using analysis::AnalysisId;
using storage::AnalysisState;

namespace {

WorkError not_found(AnalysisId id) {
    return {WorkError::Kind::no_analysis,
            "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))};
}

WorkError store_error(const std::string& problem) {
    return {WorkError::Kind::store_failed, "the store cannot write: " + problem};
}

// Of a write that has just failed.
WorkError store_error(Core& core, const std::string& problem) {
    still_works(core);
    return store_error(problem);
}

// Nothing could be done until a moment that has been.
bool is_past(const Budget& budget, analysis::UnixMs now) {
    return budget.until && *budget.until <= now;
}

WorkError past_moment() {
    return {WorkError::Kind::past_moment, "the moment until which it is to work has passed"};
}

} // namespace

std::expected<AnalysisId, WorkError> Core::create(NewAnalysis wanted) {
    if (!store_problem_.empty()) {
        return std::unexpected(store_error(store_problem_));
    }
    if (is_past(wanted.spec.budget, now())) {
        return std::unexpected(past_moment());
    }
    EngineSlot* engine = engines_.front().get();
    if (!wanted.engine.empty()) {
        const auto found = std::find_if(engines_.begin(), engines_.end(), [&](const auto& slot) {
            return slot->profile.name == wanted.engine;
        });
        if (found == engines_.end()) {
            return std::unexpected(
                WorkError{WorkError::Kind::no_engine,
                          "no engine is named '" + wanted.engine + "' in the config"});
        }
        engine = found->get();
    }
    chess::Position root = wanted.start;
    for (const chess::Move move : wanted.moves) {
        root.play(move);
    }
    storage::AnalysisRecord record;
    record.name = wanted.name;
    record.root_fen = wanted.start.fen();
    record.root_moves = wanted.moves;
    record.profile = engine->profile.name;
    record.engine = engine->id;
    record.limit = wanted.limit;
    record.parameters = to_text(wanted.spec);
    record.priority = wanted.priority;
    for (const auto& other : runs_) {
        record.rank = std::max(record.rank, other->record.rank);
    }
    record.rank += 1;
    record.state = wanted.hold ? AnalysisState::paused : AnalysisState::queued;
    record.created_at = now();
    if (wanted.transient) {
        record.id = AnalysisId{--last_transient_};
    } else {
        const auto written =
            write_through([&](storage::Done done) { store_.insert(record, done); });
        if (!written) {
            return std::unexpected(store_error(*this, written.error()));
        }
        record.id = AnalysisId{written->id};
    }
    auto run = std::make_unique<AnalysisRun>(std::move(record), std::move(wanted.spec),
                                             wanted.start, root);
    run->transient = wanted.transient;
    run->game = wanted.game;
    run->usage.analysis = run->record.id;
    run->seeds_read = true;                                   // there are none
    AnalysisRun& added = *runs_.emplace_back(std::move(run)); // who waits for a graph is in runs_
    sort_runs();
    if (added.record.engine != analysis::EngineId{}) {
        attach(added);
    }
    schedule_fill();
    return added.record.id;
}

std::expected<void, WorkError> Core::change(AnalysisId id, const AnalysisPatch& patch) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    if (patch.budget && patch.budget->until != run->spec.budget.until &&
        is_past(*patch.budget, now())) { // what was set before may stay
        return std::unexpected(past_moment());
    }
    storage::AnalysisRecord record = run->record;
    AnalysisSpec spec = run->spec;
    record.name = patch.name.value_or(record.name);
    record.priority = patch.priority.value_or(record.priority);
    record.rank = patch.rank.value_or(record.rank);
    record.limit = patch.limit.value_or(record.limit);
    spec.strategy = patch.strategy.value_or(spec.strategy);
    spec.budget = patch.budget.value_or(spec.budget);
    spec.window = patch.window.value_or(spec.window);
    spec.stop = patch.stop.value_or(spec.stop);
    spec.accept = patch.accept.value_or(spec.accept);
    record.parameters = to_text(spec);
    if (patch.hold) {
        record.state = *patch.hold ? AnalysisState::paused : AnalysisState::queued;
        record.state_reason = "";
    }
    if (!run->transient) {
        const auto written =
            write_through([&](storage::Done done) { store_.update(record, done); });
        if (!written) {
            return std::unexpected(store_error(*this, written.error()));
        }
    }
    const bool other_tree = record.limit != run->record.limit ||
                            !(spec.strategy == run->spec.strategy) ||
                            !(spec.stop == run->spec.stop);
    run->record = std::move(record);
    run->spec = spec;
    if (patch.budget) {
        run->spent = false;
        run->stale = true;
    }
    run->changed = true;
    if (patch.hold == false && run->slot != nullptr) {
        run->slot->retry_failed(); // a person says: try again
        store_.clear_failures(run->slot->engine().id, [](const auto&) {});
    }
    if (rests_elsewhere(*run) || (patch.hold == false && run->unreadable)) {
        attach_again(*run);
    } else if (other_tree || patch.hold == false) {
        restart_plan(*run);
    }
    sort_runs();
    schedule_fill();
    return {};
}

std::expected<void, WorkError> Core::remove(AnalysisId id) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    if (!run->transient) {
        const auto written = write_through([&](storage::Done done) { store_.remove(id, done); });
        if (!written) {
            return std::unexpected(store_error(*this, written.error()));
        }
    }
    for (const auto& [job, out] : out_) {
        if (out.info.analysis == id) {
            out.engine->workers->cancel(job);
        }
    }
    detach(*run);
    std::erase_if(runs_, [&](const auto& other) { return other.get() == run; });
    let_go_of_idle_graphs();
    if (options_.observer) {
        options_.observer->analysis_removed(id);
    }
    schedule_fill();
    return {};
}

void Core::hurry(AnalysisId id) {
    AnalysisRun* run = lookup(id);
    const EngineSlot* engine = run == nullptr ? nullptr : engine_of(*run);
    if (engine == nullptr || !run->transient) {
        return;
    }
    run->record.state = AnalysisState::paused;
    for (const engine_bridge::ProcessStatus& process : engine->workers->status()) {
        const JobInfo* info = process.job ? job(*process.job) : nullptr;
        if (info != nullptr && info->analysis == id && info->asked.node == run->root_node) {
            engine->workers->cancel(*process.job);
        }
    }
}

std::expected<std::int64_t, WorkError> Core::direct(AnalysisId id,
                                                    const std::vector<chess::Move>& line,
                                                    const std::string& action,
                                                    const std::string& text) {
    AnalysisRun* run = lookup(id);
    if (run == nullptr) {
        return std::unexpected(not_found(id));
    }
    storage::DirectiveRecord said;
    said.analysis = id;
    said.line = line;
    said.action = action;
    said.text = text;
    said.at = now();
    const bool on_move =
        action == "include" || action == "exclude" || (action == "clear" && !line.empty());
    if (on_move) {
        if (line.empty()) {
            return std::unexpected(WorkError{WorkError::Kind::needs_move,
                                             action + " needs a line that ends with the move"});
        }
        said.move = line.back();
        said.line.pop_back();
    }
    chess::Position position = run->root;
    for (const chess::Move move : said.line) {
        position.play(move);
    }
    said.position = position.packed();
    if (auto reason = futile(*run, said.line, action)) {
        return std::unexpected(std::move(*reason));
    }
    if (!run->transient) {
        const auto written = write_through([&](storage::Done done) { store_.append(said, done); });
        if (!written) {
            return std::unexpected(store_error(*this, written.error()));
        }
        said.id = written->id;
    }
    run->directives.push_back(said);
    if (rests_elsewhere(*run)) { // a move is excluded, or no longer
        attach_again(*run);
    } else {
        rebuild_steering(*run);
        restart_plan(*run);
    }
    if (action == "now") {
        hurry(position, *run);
    }
    schedule_fill();
    return said.id;
}

} // namespace adjourn::server
