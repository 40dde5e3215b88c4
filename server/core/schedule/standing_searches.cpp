#include "core/schedule/standing_searches.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "base/number.hpp"
#include "core/graphs/node_directives.hpp"
#include "engine_bridge/process/option_plan.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;
using engine_bridge::Job;
using engine_bridge::ProcessStatus;

namespace {

// Steps of the anchor that one search may go through before the next begins, on a warm hash: 2^12
// times the first one is more than a night.
constexpr int steps_of_one = 12;

// Of the first anchor that is larger than what is known.
int next_step(const AnalysisRun& run, const std::vector<chess::Move>& excluded) {
    const auto known =
        analysis::anchor_of(run.slot->graph(), run.root_node, run.record.limit, excluded);
    return known ? known->step + 1 : 0;
}

} // namespace

// The analysis that has the engine to itself, and asks for a long search.
AnalysisRun* StandingSearches::wanted(const EngineSlot& engine) const {
    if (stopping_ || !engine.identity || engine.profile.reproducible || engine.profile.count < 2 ||
        !parts_.health.store_problem().empty()) {
        return nullptr;
    }
    AnalysisRun* only = nullptr;
    for (const auto& run : parts_.queue.runs()) {
        if (run->record.profile != engine.profile.name ||
            run->record.state != storage::AnalysisState::running || run->plan.finished ||
            !parts_.scheduler.why_idle(*run).empty()) {
            continue;
        }
        if (only != nullptr) {
            return nullptr;
        }
        only = run.get();
    }
    const bool fits = only != nullptr && only->has_graph() && !only->transient &&
                      only->slot->engine().id == engine.id &&
                      analysis::strategy_of(only->spec.strategy.kind).has_anchor() &&
                      only->spec.strategy.anchor_threads >= 0 &&
                      !only->slot->graph().exact(only->root_node);
    if (!fits) {
        return nullptr;
    }
    const auto paused = paused_.find(only->record.id);
    return paused == paused_.end() || parts_.steady() >= paused->second ? only : nullptr;
}

std::size_t StandingSearches::threads_of(const EngineSlot& engine, const AnalysisRun& run) const {
    const std::size_t count = engine.profile.count;
    const auto said = static_cast<std::size_t>(run.spec.strategy.anchor_threads);
    const std::size_t threads = said == 0 ? count * 3 / 4 : std::min(said, count - 1);
    return engine_bridge::takes_threads(*engine.identity) ? threads : 1;
}

void StandingSearches::look_after() {
    std::erase_if(paused_, [&](const auto& entry) { return parts_.steady() >= entry.second; });
    std::vector<std::string> over;
    for (const auto& [profile, search] : searches_) {
        if (parts_.engines.named(profile) == nullptr ||
            search.engine.lock().get() != parts_.engines.named(profile)) {
            over.push_back(profile);
        }
    }
    for (const std::string& profile : over) {
        end(profile);
    }
    for (const auto& engine : parts_.engines.all()) {
        AnalysisRun* const run = wanted(*engine);
        const auto found = searches_.find(engine->profile.name);
        if (found == searches_.end()) {
            if (run != nullptr) {
                begin(*engine, *run, threads_of(*engine, *run));
            }
            continue;
        }
        const Search& search = found->second;
        const bool same = run != nullptr && run->record.id == search.analysis &&
                          search.question.position == run->root.packed() &&
                          search.question.limit.kind == run->record.limit.kind &&
                          search.question.excluded == excluded_moves(*run, run->root_node) &&
                          search.trail.threads == threads_of(*engine, *run);
        if (same) {
            look_at(*engine, *run, found->second);
        } else {
            end(engine->profile.name);
        }
    }
}

void StandingSearches::begin(EngineSlot& engine, AnalysisRun& run, std::size_t threads) {
    std::vector<chess::Move> excluded = excluded_moves(run, run.root_node);
    const int next = next_step(run, excluded);
    if (next > analysis::last_anchor) {
        return;
    }
    analysis::Limit limit = analysis::anchor_limit(
        run.record.limit, std::min(next + steps_of_one, analysis::last_anchor));
    if (run.spec.budget.nodes && limit.kind == analysis::Limit::Kind::nodes) {
        const std::uint64_t left =
            *run.spec.budget.nodes - std::min(*run.spec.budget.nodes, run.nodes());
        limit.amount = std::min(limit.amount, std::max<std::uint64_t>(1, left));
    }
    engine_bridge::Dispatcher& dispatcher = *engine.dispatcher;
    Job job{dispatcher.next_id(), run.root, limit, {}};
    if (!excluded.empty()) {
        job.searchmoves = legal_moves_but(run.root, excluded);
        if (job.searchmoves.empty()) {
            return; // all its moves are excluded
        }
    }
    Search search;
    search.analysis = run.record.id;
    search.engine = engine.weak_from_this();
    search.place = dispatcher.reserve(
        engine.index, {static_cast<std::uint64_t>(run.record.id), threads == 1 ? 0 : threads});
    search.job = job.id;
    search.question = {run.root.packed(), engine.id, limit, std::move(excluded)};
    search.trail = {parts_.steady(), run.record.id, std::make_shared<Bill>(),
                    static_cast<std::uint32_t>(threads), false};
    search.next_step = next;
    job.place = search.place;
    ++out_;
    auto done =
        parts_.recorder.expect({search.question,
                                run.record.id,
                                0,
                                [this, profile = engine.profile.name, id = job.id,
                                 analysis = run.record.id](const Recorder::Ending& ending) {
                                    const HoldWatch::Hold hold{parts_.health.watch(), "fact"};
                                    --out_;
                                    parts_.health.attempt("the end of a long search", [&] {
                                        came_back(profile, id, analysis, ending);
                                    });
                                    if (parts_.ended) {
                                        parts_.ended();
                                    }
                                },
                                {},
                                search.trail.threads,
                                search.trail.bill});
    run.out.long_search.emplace();
    run.plan.stale = true; // nobody else is to search the root
    parts_.scheduler.call_off_anchor(run);
    searches_.insert_or_assign(engine.profile.name, std::move(search));
    dispatcher.submit(engine.index, std::move(job), std::move(done));
    look_at(engine, run, searches_.at(engine.profile.name));
}

// What it has found so far, and what it has cost.
void StandingSearches::look_at(EngineSlot& engine, AnalysisRun& run, Search& search) {
    // Whoever looks comes first; one process at least is left to the tree.
    engine_bridge::Dispatcher& dispatcher = *engine.dispatcher;
    const std::size_t others = dispatcher.lent(engine.index) - search.lent;
    const std::size_t left = engine.profile.count - 1;
    search.lent = std::min<std::size_t>(search.trail.threads, left - std::min(left, others));
    dispatcher.lend(search.place, search.lent);

    std::optional<ProcessStatus> found = engine.process_of(search.job);
    if (!found) {
        return; // its process is being started
    }
    if (!search.status || Checkpoints::another(*search.status, *found)) {
        search.trail.since = parts_.steady(); // from here on it searches
        search.trail.bill->begin_again();
    }
    run.changed = run.changed || !search.status || search.status->depth != found->depth;
    search.status = *found;
    keep(run, search, *found);
    if (!search.trail.bill->settled()) { // else its answer is on the way, and pays
        run.out.long_search =
            search.trail.bill->unpaid(parts_.checkpoints.cost(search.trail, found->nodes));
    }
}

void StandingSearches::keep(const AnalysisRun& run, Search& search, const ProcessStatus& found) {
    auto fact = parts_.checkpoints.evaluation(search.trail, search.question, found);
    const double reached = fact ? analysis::effort(fact->question.limit) : 0;
    const auto has_step = [&](int step) {
        return fact && reached >= analysis::effort(analysis::anchor_limit(run.record.limit, step));
    };
    const bool new_step = search.next_step <= analysis::last_anchor && has_step(search.next_step);
    const bool says_more = search.next_step == 0 || has_step(search.next_step - 1);
    if (!fact || (!new_step && !(says_more && parts_.checkpoints.is_due(search.trail, found)))) {
        parts_.checkpoints.pay_if_due(search.trail, found);
        return;
    }
    while (search.next_step <= analysis::last_anchor && has_step(search.next_step)) {
        ++search.next_step;
    }
    parts_.checkpoints.store(search.trail, std::move(*fact));
}

// What it had found by now is stored, and paid for.
void StandingSearches::end(const std::string& profile) {
    Search search = std::move(searches_.extract(profile).mapped());
    AnalysisRun* const run = parts_.queue.find(search.analysis);
    const auto engine = search.engine.lock();
    if (engine != nullptr && run != nullptr) {
        if (auto found = engine->process_of(search.job)) {
            search.status = std::move(found);
        }
    }
    if (run != nullptr && search.status) {
        if (auto fact =
                parts_.checkpoints.evaluation(search.trail, search.question, *search.status)) {
            parts_.checkpoints.store(search.trail, std::move(*fact), true);
        } else {
            parts_.checkpoints.pay(search.trail, *search.status);
        }
    }
    parts_.engines.dispatcher()->cancel(search.job);
    leave(search, run);
}

void StandingSearches::leave(const Search& search, AnalysisRun* run) {
    parts_.engines.dispatcher()->release(
        search.place, engine_bridge::Dispatcher::Time{std::chrono::milliseconds{parts_.steady()}});
    if (run != nullptr) {
        run->out.long_search.reset();
        run->plan.stale = true;
        run->changed = true;
    }
    parts_.scheduler.fill_soon();
}

// It has ended by itself, or its engine has.
void StandingSearches::came_back(const std::string& profile, engine_bridge::JobId job,
                                 AnalysisId analysis, const Recorder::Ending& ending) {
    AnalysisRun* const run = parts_.queue.find(analysis);
    const auto* answered = std::get_if<Answered>(&ending.outcome);
    if (run != nullptr && answered != nullptr) {
        run->pay({answered->nodes, answered->engine_ms});
    }
    const auto found = searches_.find(profile);
    if (found != searches_.end() && found->second.job == job) {
        const Search search = std::move(searches_.extract(found).mapped());
        if (answered == nullptr) { // not again at once
            paused_[analysis] = parts_.steady() + pause;
        }
        leave(search, run);
    }
    if (answered != nullptr) {
        parts_.stored(answered->fact, answered->fresh ? std::optional{analysis} : std::nullopt);
    }
}

void StandingSearches::stop() {
    stopping_ = true;
    while (!searches_.empty()) {
        end(std::string{searches_.begin()->first});
    }
}

std::optional<StandingSearches::Shown> StandingSearches::shown(AnalysisId analysis) const {
    for (const auto& [profile, search] : searches_) {
        if (search.analysis != analysis) {
            continue;
        }
        Shown shown;
        shown.threads = search.trail.threads;
        shown.lasted = std::max<analysis::UnixMs>(0, parts_.steady() - search.trail.since);
        if (search.status) {
            shown.depth = search.status->depth;
            shown.nodes = search.status->nodes;
            shown.nodes_per_second = search.status->nps;
            shown.line = search.status->line;
        }
        return shown;
    }
    return std::nullopt;
}

} // namespace adjourn::server
