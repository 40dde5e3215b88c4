// LongSearches: what all have in common, checkpoints, and the standing search.
// board_searches.cpp: what people want searched.
#include "core/schedule/long_searches.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "core/graphs/node_directives.hpp"
#include "engine_bridge/process/option_plan.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;
using engine_bridge::JobId;
using engine_bridge::ProcessStatus;

void LongSearches::look_after() {
    parts_.health.attempt("keeping what long searches have found", [&] { look_at_plan(); });
    parts_.health.attempt("the standing searches", [&] { look_at_standing(); });
    parts_.health.attempt("the searches of people's boards", [&] { look_at_boards(); });
}

void LongSearches::stop() {
    stopping_ = true;
    for (auto& [id, board] : boards_) {
        if (board.ended.empty()) {
            end(board, "the server is stopping");
        }
    }
    while (!standing_.empty()) {
        end(standing_.begin());
    }
}

void LongSearches::engines_changed() {
    const auto gone = [&](engine_bridge::ProfileId profile) {
        return parts_.engines.dispatcher()->closed(profile);
    };
    for (auto& [id, board] : boards_) {
        if (board.place && gone(board.profile)) {
            end(board, "the engine was changed in the configuration");
        }
    }
    for (auto at = standing_.begin(); at != standing_.end();) {
        const auto standing = at++;
        if (gone(standing->first)) {
            end(standing);
        }
    }
}

// Asks the expected question by this job, whose id and moves are set here. `ended` is called on the
// core's thread, once.
JobId LongSearches::ask(EngineSlot& engine, engine_bridge::Job job, Recorder::Expected expected,
                        std::function<void(JobId, const Ending&)> ended) {
    const JobId id = job.id = engine.dispatcher->next_id();
    if (!expected.question.excluded.empty()) {
        job.searchmoves = legal_moves_but(job.position, expected.question.excluded);
    }
    ++out_;
    expected.ended = [this, id, ended = std::move(ended)](const Ending& ending) {
        const HoldWatch::Hold hold{parts_.health.watch(), "fact"};
        --out_;
        parts_.health.attempt("the end of a long search", [&] { ended(id, ending); });
        parts_.came_back();
    };
    auto done = parts_.recorder.expect(std::move(expected));
    engine.dispatcher->submit(engine.index, std::move(job), std::move(done));
    return id;
}

engine_bridge::Dispatcher::Time LongSearches::now() const {
    return engine_bridge::Dispatcher::Time{std::chrono::milliseconds{parts_.steady()}};
}

// ---- checkpoints ----

namespace {

// The limit that a search of this one has reached; nullopt: none that is less than it was asked
// for.
std::optional<analysis::Limit> reached(const analysis::Limit& asked, int depth, std::uint64_t nodes,
                                       analysis::UnixMs ms) {
    const auto amount =
        asked.kind == analysis::Limit::Kind::depth   ? static_cast<std::uint64_t>(depth)
        : asked.kind == analysis::Limit::Kind::nodes ? nodes
                                                     : static_cast<std::uint64_t>(ms);
    return amount > 0 && amount < asked.amount ? std::optional{analysis::Limit{asked.kind, amount}}
                                               : std::nullopt;
}

// Steps of the anchor that one search may go through before the next begins, on a warm hash: 2^12
// times the first one is more than a night.
constexpr int steps_of_one = 12;

std::uint32_t threads_of(const EngineSlot& engine, const AnalysisRun& run) {
    const std::size_t count = engine.profile.count;
    const auto said = static_cast<std::size_t>(run.spec.strategy.anchor_threads);
    const std::size_t threads = said == 0 ? count * 3 / 4 : std::min(said, count - 1);
    return engine_bridge::takes_threads(*engine.identity) ? static_cast<std::uint32_t>(threads) : 1;
}

} // namespace

// And those make way that keep a process from what goes before them.
void LongSearches::look_at_plan() {
    std::set<JobId> searched;
    for (const auto& engine : parts_.engines.all()) {
        if (!engine->profile.reproducible) { // what is kept depends on when somebody looked
            for (const ProcessStatus& process : engine->status(true)) {
                if (look_at(*engine, process)) {
                    searched.insert(*process.job);
                }
            }
        }
    }
    parts_.scheduler.only_searched(searched);
    for (const JobId job : parts_.scheduler.in_the_way()) {
        RunningSearch& search = parts_.scheduler.job(job)->search;
        keep(search, found(search));
        parts_.engines.dispatcher()->put_back(job);
    }
}

// Whether the process searches a question of the plan. Machines elsewhere tell nothing before they
// have finished.
bool LongSearches::look_at(const EngineSlot& engine, const ProcessStatus& process) {
    const bool searching = process.state == ProcessStatus::State::searching && process.job;
    JobInfo* job = searching ? parts_.scheduler.job(*process.job) : nullptr;
    if (job == nullptr || job->search.question.engine != engine.id) {
        return false;
    }
    see(job->search, process);
    if (!process.machine.empty()) {
        return true;
    }
    keep_if_due(job->search, is_due(job->search) ? found(job->search) : std::nullopt);
    return true;
}

// Where it is another process, or has had another question, the first search had no answer.
void LongSearches::see(RunningSearch& search, const ProcessStatus& process) const {
    const bool same = search.process && search.process->machine == process.machine &&
                      search.process->pid == process.pid &&
                      search.process->jobs_done == process.jobs_done;
    search.process = process;
    if (same) {
        return;
    }
    search.since = parts_.steady();
    AnalysisRun* const run = parts_.queue.find(search.payer);
    if (search.planned) {
        search.nodes = 0;
        search.move.reset();
        if (search.bill && run != nullptr) {
            run->out.forget_paid(search.bill->parts());
        }
    }
    if (search.bill) {
        search.bill->begin_again();
    }
}

// Whether it was long enough, and has enough to say, for another one.
bool LongSearches::is_due(const RunningSearch& search) const {
    const ProcessStatus& process = *search.process;
    if (parts_.steady() - search.since < long_search || !process.line || process.line->pv.empty()) {
        return false;
    }
    const bool grown =
        static_cast<double>(process.nodes) >= growth * static_cast<double>(search.nodes);
    return grown || search.move != process.line->pv.front();
}

// As an evaluation of the limit that it has reached; nullopt: there is no exact score, or it has
// reached its own limit.
std::optional<analysis::Evaluation> LongSearches::found(const RunningSearch& search) const {
    const auto& line = search.process->line;
    if (!line || !line->score || line->pv.empty() || line->bound != chess::Bound::exact) {
        return std::nullopt;
    }
    const analysis::UnixMs ms = lasted(search);
    const auto limit = reached(search.question.limit, line->depth, search.process->nodes, ms);
    if (!limit) {
        return std::nullopt;
    }
    analysis::Evaluation fact;
    fact.question = search.question;
    fact.question.limit = *limit;
    fact.move = line->pv.front();
    fact.score = line->score;
    fact.depth = line->depth;
    fact.seldepth = line->seldepth;
    fact.nodes = search.process->nodes;
    fact.time_ms = static_cast<std::uint32_t>(std::min<analysis::UnixMs>(ms, 0xffff'ffff));
    fact.pv = line->pv;
    fact.wdl = line->wdl;
    fact.machine = parts_.machine;
    return fact;
}

analysis::UnixMs LongSearches::lasted(const RunningSearch& search) const {
    return std::max<analysis::UnixMs>(0, parts_.steady() - search.since);
}

// So far.
storage::Cost LongSearches::cost(const RunningSearch& search) const {
    return {search.process->nodes, static_cast<std::uint64_t>(lasted(search)) * search.threads};
}

// What is paid now; it counts at once. Nothing: there is nobody who pays, or the answer has come.
std::optional<storage::Cost> LongSearches::charge(RunningSearch& search) const {
    AnalysisRun* const run = parts_.queue.find(search.payer);
    const auto part =
        search.bill && run != nullptr ? search.bill->part(cost(search)) : std::nullopt;
    if (part) {
        search.paid_at = parts_.steady();
        run->pay(*part);
        if (search.planned) {
            run->out.paid.nodes += part->nodes;
            run->out.paid.engine_ms += part->engine_ms;
        }
    }
    return part;
}

// Stores what it has found, if that is given, and pays for it. `ends`: the search, and this is its
// answer, which the payer has asked for. Nothing, if the search has one already; what could not be
// stored counts for nothing.
void LongSearches::keep(RunningSearch& search, std::optional<analysis::Evaluation> fact,
                        bool ends) const {
    if (search.bill && search.bill->settled()) {
        return;
    }
    const auto part = charge(search);
    const auto shared = fact ? std::make_shared<analysis::Evaluation>(std::move(*fact)) : nullptr;
    const auto moment = shared ? parts_.queue.moments()->begin() : nullptr;
    if (shared) {
        shared->at = *moment;
    }
    const auto asked_by = ends ? std::optional{search.payer} : std::nullopt;
    auto done = [core = parts_.core, &queue = parts_.queue, stored = parts_.stored,
                 payer = search.payer, part, shared, moment,
                 asked_by](const storage::Outcome& written) {
        if (!written && part) {
            core.post([&queue, payer, part] {
                if (AnalysisRun* const run = queue.find(payer)) {
                    run->take_back(*part);
                }
            });
        } else if (written && shared && written->inserted) {
            shared->id = analysis::EvaluationId{written->id};
            core.post([stored, shared, moment, asked_by] { stored(*shared, asked_by); });
        }
    };
    if (shared) {
        search.nodes = shared->nodes;
        search.move = shared->move;
        parts_.store.write(storage::Answered{*shared,
                                             part ? std::optional{search.payer} : std::nullopt,
                                             part.value_or(storage::Cost{}), !ends},
                           std::move(done));
    } else if (part) {
        parts_.store.write(storage::Spent{search.payer, *part}, std::move(done));
    }
}

// Without a fact it pays only if nothing has been paid for as long as a search is short.
void LongSearches::keep_if_due(RunningSearch& search,
                               std::optional<analysis::Evaluation> fact) const {
    if (fact || parts_.steady() - std::max(search.since, search.paid_at) >= long_search) {
        keep(search, std::move(fact));
    }
}

// ---- standing search ----

// The analysis that has the engine to itself, and asks for a long search.
AnalysisRun* LongSearches::wants_standing(const EngineSlot& engine) const {
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
                      !only->confirming && only->slot->engine().id == engine.id &&
                      analysis::strategy_of(only->spec.strategy.kind).has_anchor() &&
                      only->spec.strategy.anchor_threads >= 0 &&
                      !only->slot->graph().exact(only->root_node);
    return fits && !paused_.contains(only->record.id) ? only : nullptr;
}

void LongSearches::look_at_standing() {
    std::erase_if(paused_, [&](const auto& entry) { return parts_.steady() >= entry.second; });
    for (const auto& engine : parts_.engines.all()) {
        AnalysisRun* const run = wants_standing(*engine);
        const auto at = standing_.find(engine->index);
        if (at == standing_.end()) {
            if (run != nullptr) {
                begin_standing(*engine, *run);
            }
            continue;
        }
        const RunningSearch& search = at->second.search;
        const bool same = run != nullptr && run->record.id == search.payer &&
                          search.question.position == run->root.packed() &&
                          search.question.limit.kind == run->record.limit.kind &&
                          search.threads == threads_of(*engine, *run);
        if (!same) {
            end(at);
        } else if (search.question.excluded == left_out(*run)) {
            look_at(*engine, *run, at->second);
        } else { // the court is due, or not any more: the same process goes on with that
            const StandingSearch before = stop_search(at);
            if (!begin_standing(*engine, *run, &before)) {
                leave(before, run);
            }
        }
    }
}

// What the standing search is to leave out: for the court all but its candidates.
std::vector<chess::Move> LongSearches::left_out(const AnalysisRun& run) {
    return run.plan.court ? run.plan.court->excluded : excluded_moves(run, run.root_node);
}

// In the place of the one `before`, which has ended; null: in a new one. Returns whether there is
// anything to search.
bool LongSearches::begin_standing(EngineSlot& engine, AnalysisRun& run,
                                  const StandingSearch* before) {
    std::vector<chess::Move> excluded = left_out(run);
    const auto known =
        analysis::anchor_of(run.slot->graph(), run.root_node, run.record.limit, excluded);
    const int next = known ? known->step + 1 : 0; // the first that is larger than what is known
    const bool all_excluded = !excluded.empty() && legal_moves_but(run.root, excluded).empty();
    if ((next > analysis::last_anchor && !run.plan.court) || all_excluded) {
        return false;
    }
    analysis::Limit limit =
        run.plan.court ? run.plan.court->limit
                       : analysis::anchor_limit(run.record.limit, std::min(next + steps_of_one,
                                                                           analysis::last_anchor));
    if (run.spec.budget.nodes && limit.kind == analysis::Limit::Kind::nodes) {
        const std::uint64_t left =
            *run.spec.budget.nodes - std::min(*run.spec.budget.nodes, run.nodes());
        limit.amount = std::min(limit.amount, std::max<std::uint64_t>(1, left));
    }
    StandingSearch standing;
    RunningSearch& search = standing.search;
    search.question = {run.root.packed(), engine.id, limit, std::move(excluded)};
    search.payer = run.record.id;
    search.bill = std::make_shared<Bill>();
    search.threads = threads_of(engine, run);
    search.planned = false;
    search.since = parts_.steady();
    standing.engine = engine.weak_from_this();
    standing.court = run.plan.court.has_value();
    standing.next_step = next;
    standing.lent = before != nullptr ? before->lent : 0;
    standing.place =
        before != nullptr
            ? before->place
            : engine.dispatcher->reserve(engine.index, {static_cast<std::uint64_t>(run.record.id),
                                                        search.threads == 1 ? 0 : search.threads});
    run.out.long_search.emplace();
    run.plan.stale = true; // nobody else is to search the root
    parts_.scheduler.call_off_anchor(run);
    engine_bridge::Job job{0, run.root, limit, {}};
    job.place = standing.place;
    Recorder::Expected expected;
    expected.question = search.question;
    expected.asked_by = run.record.id;
    expected.threads = search.threads;
    expected.bill = search.bill;
    standing.job = ask(
        engine, std::move(job), std::move(expected),
        [this, profile = engine.index, analysis = run.record.id](JobId job, const Ending& ending) {
            standing_ended(profile, job, analysis, ending);
        });
    look_at(engine, run,
            standing_.insert_or_assign(engine.index, std::move(standing)).first->second);
    return true;
}

// What it has found so far, and what it has cost.
void LongSearches::look_at(EngineSlot& engine, AnalysisRun& run, StandingSearch& standing) {
    RunningSearch& search = standing.search;
    // Whoever looks comes first; one process at least is left to the tree.
    engine_bridge::Dispatcher& dispatcher = *engine.dispatcher;
    const std::size_t others = dispatcher.lent(engine.index) - standing.lent;
    const std::size_t left = engine.profile.count - 1;
    standing.lent = std::min<std::size_t>(search.threads, left - std::min(left, others));
    dispatcher.lend(standing.place, standing.lent);

    const std::optional<ProcessStatus> process = engine.process_of(standing.job);
    if (!process) {
        return; // it is being started
    }
    run.changed = run.changed || !search.process || search.process->depth != process->depth;
    see(search, *process);
    keep_steps(run, standing);
    if (!search.bill->settled()) { // else its answer is on the way, and pays
        run.out.long_search = search.bill->unpaid(cost(search));
    }
}

// Each step of the anchor, and what is due; none smaller than what is known.
void LongSearches::keep_steps(const AnalysisRun& run, StandingSearch& standing) const {
    auto fact = found(standing.search);
    const double done = fact ? analysis::effort(fact->question.limit) : 0;
    const auto has_step = [&](int step) {
        return fact && done >= analysis::effort(analysis::anchor_limit(run.record.limit, step));
    };
    int& next = standing.next_step;
    bool due = (standing.court || next == 0 || has_step(next - 1)) && is_due(standing.search);
    for (; !standing.court && next <= analysis::last_anchor && has_step(next); ++next) {
        due = true;
    }
    keep_if_due(standing.search, due ? std::move(fact) : std::nullopt);
}

void LongSearches::end(StandingSearches::iterator at) {
    const StandingSearch standing = stop_search(at);
    leave(standing, parts_.queue.find(standing.search.payer));
}

// What it had found by now is stored, and paid for. Its place stays reserved.
LongSearches::StandingSearch LongSearches::stop_search(StandingSearches::iterator at) {
    StandingSearch standing = std::move(standing_.extract(at).mapped());
    RunningSearch& search = standing.search;
    AnalysisRun* const run = parts_.queue.find(search.payer);
    if (const auto engine = standing.engine.lock(); engine != nullptr && run != nullptr) {
        if (auto process = engine->process_of(standing.job)) {
            search.process = std::move(process);
        }
    }
    if (run != nullptr && search.process) {
        keep(search, found(search), true);
    }
    parts_.engines.dispatcher()->cancel(standing.job);
    return standing;
}

void LongSearches::leave(const StandingSearch& standing, AnalysisRun* run) {
    parts_.engines.dispatcher()->release(standing.place, now());
    if (run != nullptr) {
        run->out.long_search.reset();
        run->plan.court.reset();
        run->plan.stale = true;
        run->changed = true;
    }
    parts_.scheduler.fill_soon();
}

// It has ended by itself, or its engine has.
void LongSearches::standing_ended(engine_bridge::ProfileId profile, JobId job, AnalysisId analysis,
                                  const Ending& ending) {
    AnalysisRun* const run = parts_.queue.find(analysis);
    const auto* answered = std::get_if<Answered>(&ending.outcome);
    if (run != nullptr && answered != nullptr) {
        run->pay({answered->nodes, answered->engine_ms});
    }
    const auto at = standing_.find(profile);
    if (at != standing_.end() && at->second.job == job) {
        const StandingSearch standing = std::move(standing_.extract(at).mapped());
        if (answered == nullptr) { // not again at once
            paused_[analysis] = parts_.steady() + pause;
        }
        leave(standing, run);
    }
    if (answered != nullptr) {
        parts_.stored(answered->fact, answered->fresh ? std::optional{analysis} : std::nullopt);
    }
}

const RunningSearch* LongSearches::standing_search(AnalysisId analysis) const {
    const auto at = std::ranges::find_if(
        standing_, [&](const auto& entry) { return entry.second.search.payer == analysis; });
    return at == standing_.end() ? nullptr : &at->second.search;
}

} // namespace adjourn::server
