// Scheduler: what goes out and comes back, what people and the clock change, and the state that is
// shown.
#include "core/schedule/scheduler.hpp"

#include "analysis/root_answer.hpp"
#include "core/graphs/node_directives.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

std::string place_of(const AnalysisRun& run) {
    return "the work on analysis " + std::to_string(static_cast<std::int64_t>(run.record.id));
}

// Whether a person's "now" has, or may have, a question that is not out yet.
bool waited_for(const AnalysisRun& run) {
    return run.plan.now_due || (!run.plan.ready.empty() && run.plan.ready.front().urgent);
}

// Of the root and all its moves but those that people left out.
bool of_whole_root(const AnalysisRun& run, const NodeQuestion& asked) {
    if (asked.node != run.root_node) {
        return false;
    }
    return asked.excluded == excluded_moves(run, run.root_node);
}

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

// The finalizer of splitmix64 (Steele, Lea, Flood 2014): one to one, and every bit counts.
std::uint64_t mixed(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15ULL;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
    key = (key ^ key >> 27) * 0x94d049bb133111ebULL;
    return key ^ key >> 31;
}

} // namespace

Scheduler::Scheduler(Queue& queue, Graphs& graphs, Planner& planner, const Engines& engines,
                     Health& health, Recorder recorder, base::TaskScope::Poster core,
                     Options options)
    : queue_{queue}, graphs_{graphs}, planner_{planner}, engines_{engines}, health_{health},
      recorder_{std::move(recorder)}, core_{std::move(core)}, options_{std::move(options)} {}

void Scheduler::tell(const AnalysisRun& run) const {
    if (options_.progress) {
        options_.progress(run);
    }
}

// What goes wrong with one analysis is its own trouble.
void Scheduler::attempt(std::string_view place, AnalysisRun& run,
                        const std::function<void()>& task) {
    if (const auto attempt = health_.attempt(place, task); attempt.own) {
        fail(run, to_text(*attempt.own));
    }
}

void Scheduler::fill_soon() {
    if (fill_scheduled_ || stopping_) {
        return;
    }
    fill_scheduled_ = true;
    core_.post([this] {
        fill_scheduled_ = false;
        if (!stopping_) {
            fill_all();
        }
    });
}

void Scheduler::fill_all() {
    const HoldWatch::Hold hold{health_.watch(), "plan"};
    if (!begun_) {
        return;
    }
    for (const auto& engine : engines_.all()) {
        health_.attempt("giving work to engine " + engine->profile.name, [&] { fill(*engine); });
    }
    take_stock();
}

// Of those that may not work: how far their trees are, and what they rest on. Hundreds are looked
// at in parts, between which others have the thread.
void Scheduler::take_stock() {
    constexpr analysis::UnixMs part = 5;
    const analysis::UnixMs begun = options_.steady();
    for (const auto& run : queue_.runs()) {
        if (run->has_graph() && !left_out(*run) && run->out.in_flight == 0 &&
            run->plan.unseen(run->slot->anything_out()) && !may_work(*run)) {
            if (options_.steady() - begun > part) {
                fill_soon();
                return;
            }
            const auto look = [&] {
                planner_.replan(*run);
                if (!(run->plan.finished && !run->plan.failure.empty())) {
                    try_again(*run); // what it failed for was not noted, or was answered since
                }
                refresh_state(*run);        // now it is known whether it has settled
                run->plan.drop_questions(); // found again when it may work
                run->changed = true;
            };
            attempt(place_of(*run), *run, look);
        } else if (engines_.of(*run) == nullptr) { // nobody gives it work, or says why not
            attempt(place_of(*run), *run, [&] { refresh_state(*run); });
        }
    }
}

bool Scheduler::may_work(const AnalysisRun& run) const {
    if (!run.has_graph() || !run.seeds_read || run.record.state == AnalysisState::paused ||
        run.record.state == AnalysisState::failed || !health_.store_problem().empty()) {
        return false;
    }
    return !left_out(run) && planner_.in_window(run) && !planner_.exhausted(run);
}

// Submits the analysis's next question, if it has one; of those that a person waits for only, if so
// said.
bool Scheduler::next_task(EngineSlot& engine, AnalysisRun& run, bool only_urgent) {
    if (!may_work(run)) {
        return false;
    }
    if (engine.profile.reproducible) {
        if (run.out.in_flight > 0 || run.slot->anything_waits()) {
            return false;
        }
        if (run.plan.stale && run.plan.planned) {
            run.restart(); // each question is planned as a start does: from what is stored alone
        }
    }
    if (run.out.put_off && options_.clock() >= *run.out.put_off) {
        run.out.put_off.reset();
        run.plan.stale = true;
    }
    if (run.plan.due()) {
        planner_.replan(run);
    }
    bool too_dear = false;
    while (!run.plan.ready.empty() && (!only_urgent || run.plan.ready.front().urgent)) {
        analysis::PlannedQuestion question = run.plan.take();
        if (run.slot->graph().exact(question.node)) {
            continue; // nobody is asked what is known
        }
        if (!planner_.affords(run, question.limit)) {
            too_dear = true;
            continue;
        }
        if (!question.urgent && !planner_.fits_in_hours(run, question.limit)) {
            run.out.put_off = planner_.hours_end(run);
            continue;
        }
        if (graphs_.state(*run.slot, {question.node, question.limit, question.excluded}) ==
            analysis::QuestionState::open) {
            submit(engine, run, std::move(question));
            // Processes that would wait for its answers look what the levels after it ask for.
            run.plan.stale |= run.plan.ready.empty() && room(engine) > engine.profile.count;
            return true;
        }
    }
    // What is out may cost less than its limits; if nothing is, nothing more can be paid for.
    run.out.spent = too_dear && run.plan.ready.empty() && run.out.in_flight == 0;
    return false;
}

engine_bridge::JobId Scheduler::submit(EngineSlot& engine, AnalysisRun& run,
                                       analysis::PlannedQuestion question, Order order) {
    const engine_bridge::JobId id = engine.dispatcher->next_id();
    const bool own = &engine == engines_.of(run); // else the graph knows nothing of the question
    const chess::Position position = run.slot->graph().position(question.node);
    engine_bridge::Job job{
        id, position, {}, {}, affinity_of(run.record.id, question.line), question.urgent};
    job.watched = run.transient && question.node == run.root_node;
    if (job.watched || engine.profile.count == 1) { // the queue has lent the only one
        job.place = run.place;
    }
    job.game = run.place == job.place ? run.game : 0; // the others' hashes are warm for the queue
    job.priority = run.record.priority;
    job.limit = question.limit;
    if (!question.excluded.empty()) {
        job.searchmoves = legal_moves_but(position, question.excluded);
    }
    Out out;
    out.info.analysis = run.record.id;
    out.info.line = std::move(question.line);
    out.info.asked = {question.node, question.limit, std::move(question.excluded)};
    RunningSearch& search = out.info.search;
    search.question = {position.packed(), own ? run.slot->engine().id : engine.id,
                       out.info.asked.limit, out.info.asked.excluded};
    search.payer = run.record.id;
    search.bill = run.transient ? nullptr : std::make_shared<Bill>();
    out.engine = engine.shared_from_this();
    out.slot = own ? run.slot : nullptr;
    out.urgent = question.urgent;
    out.priority = run.record.priority;
    out.reserved = job.place.has_value();
    if (own) {
        run.slot->mark_pending(out.info.asked);
    }
    Recorder::Expected expected{
        search.question, run.record.id, own ? run.slot->attempts(out.info.asked) : 0,
        [this, id](Recorder::Ending ending) { ended(id, std::move(ending)); }};
    expected.bill = search.bill;
    expected.order = std::move(order);
    if (run.transient) {
        expected.asked_by.reset(); // what it has spent dies with it
        if (out.info.asked.node == run.root_node) {
            expected.reported = [this, id](engine_bridge::BestLine line) {
                reported(id, std::move(line));
            };
        }
    }
    out_.emplace(id, std::move(out));
    run.out.goes_out(question.limit);
    ++run.out.served;
    run.out.served_at = options_.steady();
    if (own) { // turns are those of one engine
        const double due_now = due(engine, run);
        run.out.turn = due_now + static_cast<double>(run.out.place);
        if (!job.urgent) { // what a person waits for goes out of turn
            engine.rounds[run.record.priority] = due_now;
        }
    }
    engine.dispatcher->submit(engine.index, std::move(job), recorder_.expect(std::move(expected)));
    return id;
}

// Those of one priority share equally as long as they stand in the order in which they were made.
// Each younger one that a person has put ahead of an analysis makes its turns rarer: one is had for
// every two, two for every three: start-time fair queueing (Goyal, Vin, Cheng 1996) with weights
// 1/place. Who comes back from a pause is not owed what went by.
double Scheduler::due(const EngineSlot& engine, const AnalysisRun& run) const {
    const auto round = engine.rounds.find(run.record.priority);
    return std::max(run.out.turn, round == engine.rounds.end() ? 0.0 : round->second);
}

std::size_t Scheduler::urgent_out(const EngineSlot& engine) const {
    return static_cast<std::size_t>(std::ranges::count_if(out_, [&](const auto& entry) {
        return entry.second.urgent && entry.second.engine.get() == &engine;
    }));
}

void Scheduler::count_places(const EngineSlot& engine) {
    std::map<int, std::vector<analysis::AnalysisId>> at_work; // sorted
    for (const auto& run : queue_.runs()) {                   // in the queue's order
        if (run->record.profile == engine.profile.name) {
            auto& ahead = at_work[run->record.priority];
            const auto younger = std::ranges::upper_bound(ahead, run->record.id);
            run->out.place = static_cast<std::size_t>(ahead.end() - younger) + 1;
            if (run->record.state == AnalysisState::running) {
                ahead.insert(younger, run->record.id);
            }
        }
    }
}

void Scheduler::fill(EngineSlot& engine) {
    count_places(engine);
    std::vector<AnalysisRun*> able;
    for (const auto& run : queue_.runs()) {
        if (run->record.profile == engine.profile.name) {
            if (!run->has_graph() || !engine.identity || run->slot->engine().id != engine.id) {
                continue;
            }
            if (may_work(*run)) {
                able.push_back(run.get());
            }
        }
    }
    // A person's "now" first, then priority, then whose turn it is.
    while (!able.empty()) {
        const auto best = std::min_element(
            able.begin(), able.end(), [&](const AnalysisRun* a, const AnalysisRun* b) {
                const bool a_urgent = waited_for(*a);
                const bool b_urgent = waited_for(*b);
                return std::make_tuple(!a_urgent, -a->record.priority, due(engine, *a),
                                       a->record.rank) <
                       std::make_tuple(!b_urgent, -b->record.priority, due(engine, *b),
                                       b->record.rank);
            });
        // What a person waits for passes the queue, so that the next process to be free takes it;
        // no more of it than there are processes, so that the queue stays short.
        const auto no_room = [&](std::size_t but) {
            return engine.dispatcher->room(engine.index, but) == 0;
        };
        const bool full = no_room(0) && no_room(lower_out(engine, (*best)->record.priority));
        if (full && (!waited_for(**best) || urgent_out(engine) >= engine.profile.count)) {
            break;
        }
        bool given = false;
        attempt(place_of(**best), **best, [&] { given = next_task(engine, **best, full); });
        if (!given) {
            able.erase(best);
        }
    }
    for (const auto& run : queue_.runs()) {
        if (run->record.profile == engine.profile.name) {
            attempt(place_of(*run), *run, [&] { refresh_state(*run); });
        }
    }
}

// Scheduler, what comes back: outcomes take effect, and analyses get their state.

void Scheduler::reported(engine_bridge::JobId job, engine_bridge::BestLine line) {
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
        if (!ending.not_stored.empty() && queue_.store_works() && ending.refused) {
            ending.outcome = Unanswered{std::move(ending.not_stored), 1, options_.clock()};
        }
        if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
            const auto position = chess::Position::unpack(out.info.search.question.position);
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
            const auto* answered = std::get_if<Answered>(&ending.outcome);
            if (run != nullptr) {
                if (answered != nullptr) {
                    count(*run, *answered);
                }
                run->out.comes_back(out.info.asked.limit);
                run->changed = run->changed || out.slot == nullptr;
                if (const auto& bill = out.info.search.bill) {
                    run->out.forget_paid(bill->parts());
                }
            }
            apply(out.slot, out.info.asked, ending.outcome);
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

void Scheduler::apply(GraphSlot* slot, const NodeQuestion& asked, const Outcome& outcome) {
    if (slot != nullptr) {
        slot->unmark_pending(asked);
    }
    if (const auto* answered = std::get_if<Answered>(&outcome)) {
        graphs_.apply(answered->fact);
    } else if (slot != nullptr) {
        if (const auto* failed = std::get_if<Unanswered>(&outcome)) {
            slot->mark_failed(asked, failed->reason, failed->attempts, failed->at);
        }
        facts_came(*slot);
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

JobInfo* Scheduler::job(engine_bridge::JobId id) {
    const auto found = out_.find(id);
    return found == out_.end() ? nullptr : &found->second.info;
}

void Scheduler::only_searched(const std::set<engine_bridge::JobId>& jobs) {
    for (auto& [job, out] : out_) {
        if (!jobs.contains(job)) {
            out.info.search.process.reset();
        }
    }
}

// Scheduler, what people and the clock change: questions that are wanted now, no more, or again;
// why nothing is asked.

// Questions whose pause is over are asked again, also by analyses that ended for want of an answer.
void Scheduler::retry_unanswered() {
    for (GraphSlot* slot : graphs_.retry_due(options_.clock(), options_.steady())) {
        for (const auto& run : queue_.runs()) {
            if (run->slot != nullptr && run->slot->engine().id == slot->engine().id) {
                run->plan.stale = true;
                try_again(*run);
            }
        }
    }
}

void Scheduler::try_again(AnalysisRun& run) {
    const bool failed = run.record.state == AnalysisState::failed; // else a last question is out
    if (!run.lost.empty() || (!failed && run.plan.failure.empty())) {
        return;
    }
    run.plan.try_again();
    if (failed) {
        run.record.state = AnalysisState::queued;
        run.record.state_reason = "";
        queue_.save(run);
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

void Scheduler::root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before) {
    for (auto& [job, out] : out_) {
        if (out.info.analysis != run.record.id) {
            continue;
        }
        auto below = run.from_root(before, out.info.line);
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
    for (const engine_bridge::ProcessStatus& process : engine->status(true)) {
        const JobInfo* info = process.job ? job(*process.job) : nullptr;
        if (info != nullptr && info->analysis == run.record.id &&
            info->asked.node == run.root_node) {
            engine->dispatcher->cancel(*process.job);
        }
    }
}

// Scheduler, who goes before whom: what is wanted now, then priority (decision 070).

int Scheduler::rank(const Out& out) {
    return out.urgent ? std::numeric_limits<int>::max() : out.priority;
}

// A person may have given an analysis another one.
void Scheduler::note_priorities() {
    for (auto& [job, out] : out_) {
        const AnalysisRun* run = queue_.find(out.info.analysis);
        if (run != nullptr && run->record.priority != out.priority) {
            out.priority = run->record.priority;
            out.engine->dispatcher->set_priority(job, out.priority);
        }
    }
}

std::size_t Scheduler::lower_out(const EngineSlot& engine, int rank) const {
    return static_cast<std::size_t>(std::ranges::count_if(out_, [&](const auto& entry) {
        return entry.second.engine.get() == &engine && Scheduler::rank(entry.second) < rank;
    }));
}

std::vector<engine_bridge::JobId> Scheduler::in_the_way() {
    note_priorities();
    const analysis::UnixMs now = options_.steady();
    std::vector<engine_bridge::JobId> all;
    for (const auto& engine : engines_.all()) {
        std::vector<int> waiting;
        std::vector<std::tuple<int, analysis::UnixMs, engine_bridge::JobId>> searched;
        std::size_t free = engine->dispatcher->idle(engine->index);
        for (const auto& [job, out] : out_) {
            if (out.engine != engine || out.reserved) {
                continue;
            }
            const RunningSearch& search = out.info.search;
            if (!search.process || !search.process->machine.empty()) {
                if (engine->dispatcher->waits(job)) {
                    waiting.push_back(rank(out));
                }
            } else if (search.since == out.stopped) {
                ++free; // soon
            } else {
                searched.emplace_back(rank(out), now - search.since, job);
            }
        }
        std::ranges::sort(waiting, std::greater{});
        std::ranges::sort(searched); // the lowest, and of them what loses least
        std::size_t next = free;
        for (const auto& [of, lasted, job] : searched) {
            if (next >= waiting.size() || of >= waiting[next]) {
                break;
            }
            Out& stopped = out_.at(job);
            const auto least = waiting[next] == seat_priority ? 0 : long_in_the_way;
            if (lasted < std::max(least, 2 * stopped.stopped_after)) {
                continue;
            }
            stopped.stopped = stopped.info.search.since;
            stopped.stopped_after = lasted;
            all.push_back(job);
            ++next;
        }
    }
    return all;
}

// Scheduler, what people are told that an analysis does.

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
    if (run.plan.finished && !run.second_due) {
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

std::uint64_t affinity_of(analysis::AnalysisId id, std::span<const chess::Move> line) {
    std::uint64_t key = mixed(static_cast<std::uint64_t>(id));
    for (std::size_t i = 0; i < 2 && i < line.size(); ++i) {
        key = mixed(key ^ line[i].raw());
    }
    return key | 1;
}

} // namespace adjourn::server
