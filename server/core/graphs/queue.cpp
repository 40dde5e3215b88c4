// Queue: what the work and people change, and what the store has.
#include "core/graphs/queue.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace adjourn::server {

using analysis::AnalysisId;

AnalysisRun* Queue::find(AnalysisId id) const {
    const auto found =
        std::ranges::find_if(runs_, [&](const auto& run) { return run->record.id == id; });
    return found == runs_.end() ? nullptr : found->get();
}

void Queue::sort() {
    std::stable_sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
        return std::tuple{-a->record.priority, a->record.rank, a->record.id} <
               std::tuple{-b->record.priority, b->record.rank, b->record.id};
    });
}

bool Queue::store_works() {
    const std::string broken = store_.writing().broken;
    if (!broken.empty()) {
        health_.take({Trouble::Kind::store, "storing", broken});
    }
    return broken.empty();
}

WorkError Queue::store_error(const std::string& problem) {
    return {WorkError::Kind::store_failed, "the store cannot write: " + problem};
}

void Queue::erase(AnalysisRun& run) {
    std::erase_if(runs_, [&](const auto& other) { return other.get() == &run; });
}

// ---- what the work changes ----

void Queue::save(AnalysisRun& run) {
    run.changed = true;
    if (run.record.id == changing_) {
        save_after_ = true;
    } else if (!run.transient && run.lost.empty()) {
        store_.update(run.record, [](const auto&) {});
    }
}

void Queue::record(AnalysisRun& run, NotedSnapshot snapshot) {
    run.snapshots.push_back(std::move(snapshot));
    run.said.reset(); // it is recorded with this one
    if (!run.transient) {
        store_snapshot(run.snapshots.back());
    }
}

void Queue::store_snapshot(const storage::SnapshotRecord& snapshot) {
    store_.append(snapshot, [refused = refused_, snapshot](const auto& written) {
        if (!written) {
            const std::lock_guard lock{refused->mutex};
            refused->snapshots.push_back(snapshot);
        }
    });
}

void Queue::record_again() {
    const auto any = [&] {
        const std::lock_guard lock{refused_->mutex};
        return !refused_->snapshots.empty();
    };
    if (!any() || !health_.store_problem().empty() || !store_works()) {
        return;
    }
    std::vector<storage::SnapshotRecord> snapshots;
    {
        const std::lock_guard lock{refused_->mutex};
        snapshots.swap(refused_->snapshots);
    }
    for (const storage::SnapshotRecord& snapshot : snapshots) {
        if (find(snapshot.analysis) != nullptr) {
            store_snapshot(snapshot);
        }
    }
}

// Queue, links to analyses (decision 125) and what is to be verified: each is a directive, and so
// is its end.

using analysis::AnalysisId;
using storage::AnalysisState;

namespace {

constexpr std::size_t most_links = 100; // of one analysis

std::unexpected<WorkError> no_analysis(AnalysisId id) {
    return std::unexpected(
        WorkError{WorkError::Kind::no_analysis,
                  "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))});
}

std::unexpected<WorkError> not_found(AnalysisId id) {
    return std::unexpected(
        WorkError{WorkError::Kind::no_analysis,
                  "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))});
}

// Nothing could be done until a moment that has been.
bool is_past(const Budget& budget, analysis::UnixMs now) {
    return budget.until && *budget.until <= now;
}

WorkError no_way(std::string why) {
    return {WorkError::Kind::futile_line, std::move(why)};
}

WorkError past_moment() {
    return {WorkError::Kind::past_moment, "the moment until which it is to work has passed"};
}

} // namespace

Pending<Queue::CheckedDirective> Queue::share(AnalysisId id, Share link) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, link = std::move(link)]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr || run->transient) {
            return no_analysis(id);
        }
        if (links_in(run->directives).size() >= most_links) {
            return std::unexpected(
                WorkError{WorkError::Kind::too_many_links,
                          "the analysis has " + std::to_string(most_links) +
                              " links already: revoke one that is of no use any more"});
        }
        return checked(*run, {}, link);
    });
}

Pending<Queue::CheckedDirective> Queue::revoke(AnalysisId id, std::int64_t link) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, link]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return no_analysis(id);
        }
        const auto links = links_in(run->directives);
        const auto found = std::ranges::find(links, link, &Directive::id);
        if (found == links.end()) {
            return std::unexpected(WorkError{WorkError::Kind::no_link,
                                             "the analysis has no link " + std::to_string(link)});
        }
        return checked(*run, {}, Retract{(*found)->at});
    });
}

Pending<Queue::CheckedDirective> Queue::verify(AnalysisId id, std::vector<chess::Move> line,
                                               Verify work) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, line = std::move(line), work]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return no_analysis(id);
        }
        std::vector<chess::Move> whole = run->played;
        whole.insert(whole.end(), line.begin(), line.end());
        return checked(*run, std::move(whole), work);
    });
}

Pending<Queue::CheckedDirective> Queue::verified(AnalysisId id, analysis::UnixMs given) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, given]() -> Checked {
        AnalysisRun* run = find(id);
        const Directive* said = run == nullptr ? nullptr : verified_in(run->directives);
        if (said == nullptr || said->at != given) {
            return no_analysis(id);
        }
        return checked(*run, said->line, Retract{given});
    });
}

// Queue, what people change. Each change is written first, and takes effect when that is durable.

template <class Value>
Pending<Value> Queue::durable(
    std::function<std::optional<typename Pending<Value>::Result>(const storage::Done&)> begin,
    std::function<typename Pending<Value>::Result(std::int64_t)> took) {
    const Pending<Value> pending{[this] { writes_.wait(); }};
    OrderedWrites::Task task;
    task.begin = [this, pending, begin = std::move(begin)](const storage::Done& done) {
        if (health_.store_silent()) { // nobody knows when it would be written
            pending.end(std::unexpected(store_error(health_.store_problem())));
            return false;
        }
        auto over = begin(done);
        if (over) {
            pending.end(std::move(*over));
        }
        return !over;
    };
    task.end = [this, pending, took = std::move(took)](const OrderedWrites::Outcome& written) {
        const auto changing = std::exchange(changing_, std::nullopt);
        auto result = written ? took(written->inserted ? written->id : 0)
                              : typename Pending<Value>::Result{
                                    std::unexpected(store_error(written.error().why))};
        if (!written) {
            store_works(); // else `health` keeps why
        }
        AnalysisRun* run = changing ? find(*changing) : nullptr;
        if (std::exchange(save_after_, false) && run != nullptr) {
            save(*run);
        }
        pending.end(std::move(result));
    };
    writes_.add(std::move(task));
    return pending;
}

Pending<AnalysisRun*> Queue::create(NewAnalysis wanted, const std::string& profile,
                                    analysis::EngineId engine) {
    using Result = Pending<AnalysisRun*>::Result;
    const auto record = std::make_shared<storage::AnalysisRecord>();
    const auto given = std::make_shared<NewAnalysis>(std::move(wanted));
    const auto took = [this, record, given](std::int64_t id) -> Result {
        const chess::Position root = given->start.after(given->moves);
        record->id = AnalysisId{id};
        auto run = std::make_unique<AnalysisRun>(std::move(*record), std::move(given->spec),
                                                 given->start, root);
        run->transient = given->transient;
        run->game = given->game;
        run->place = given->place;
        run->usage.analysis = run->record.id;
        run->seeds_read = true; // there are none
        AnalysisRun* const added = runs_.emplace_back(std::move(run)).get();
        sort();
        return added;
    };
    const auto begin = [this, record, given, profile, engine,
                        took](const storage::Done& done) -> std::optional<Result> {
        if (!health_.store_problem().empty()) {
            return std::unexpected(store_error(health_.store_problem()));
        }
        if (is_past(given->spec.budget, clock_())) {
            return std::unexpected(past_moment());
        }
        if (profile.empty()) {
            return std::unexpected(
                WorkError{WorkError::Kind::no_engine,
                          "no engine is named '" + given->engine + "' in the config"});
        }
        record->name = given->name;
        record->root_fen = given->start.fen();
        record->root_moves = given->moves;
        record->profile = profile;
        record->engine = engine;
        record->limit = given->limit;
        record->parameters = to_text(given->spec);
        record->priority = given->priority;
        for (const auto& other : runs_) {
            record->rank = std::max(record->rank, other->record.rank);
        }
        record->rank = std::min(record->rank + 1, most_rank);
        record->state = given->hold ? AnalysisState::paused : AnalysisState::queued;
        record->created_at = moments_->next();
        if (given->transient) {
            return took(--last_transient_);
        }
        store_.insert(*record, done);
        return std::nullopt;
    };
    return durable<AnalysisRun*>(begin, took);
}

Queue::Record Queue::patched(const AnalysisRun& run, const AnalysisPatch& patch) {
    storage::AnalysisRecord record = run.record;
    AnalysisSpec spec = run.spec;
    apply(patch, record, spec);
    record.parameters = to_text(spec);
    return {std::move(record), std::move(spec)};
}

Pending<Queue::Changed> Queue::change(AnalysisId id, AnalysisPatch patch) {
    return make_change(id, [patch = std::move(patch)](const AnalysisRun&) { return patch; });
}

Pending<Queue::Changed> Queue::make_change(AnalysisId id, MakePatch make) {
    using Result = Pending<Changed>::Result;
    const auto given = std::make_shared<AnalysisPatch>();
    // The work may have changed the record while this was written.
    const auto took = [this, id, given](std::int64_t) -> Result {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return not_found(id);
        }
        auto [record, spec] = patched(*run, *given);
        const bool tree = record.limit != run->record.limit || !same_growth(run->spec, spec);
        if (given->hold) {
            run->lost.clear(); // a person knows of it
        }
        run->record = std::move(record);
        run->spec = std::move(spec);
        if (given->budget) {
            run->out.spent = false;
            run->plan.stale = true;
        }
        run->changed = true;
        sort();
        return Changed{run, tree};
    };
    const auto begin = [this, id, given, make = std::move(make),
                        took](const storage::Done& done) -> std::optional<Result> {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return not_found(id);
        }
        auto patch = make(*run);
        if (!patch) {
            return std::unexpected(std::move(patch.error()));
        }
        *given = std::move(*patch);
        if (given->budget && given->budget->until != run->spec.budget.until &&
            is_past(*given->budget, clock_())) { // what was set before may stay
            return std::unexpected(past_moment());
        }
        if (run->transient) {
            return took(0);
        }
        Record changed = patched(*run, *given);
        if (changed.spec.accept.size() > most_accepted) {
            return std::unexpected(
                WorkError{WorkError::Kind::futile_more,
                          "it would accept more than " + std::to_string(most_accepted)});
        }
        changing_ = id;
        store_.update(changed.record, done);
        return std::nullopt;
    };
    return durable<Changed>(begin, took);
}

Pending<AnalysisRun*> Queue::remove(AnalysisId id) {
    using Result = Pending<AnalysisRun*>::Result;
    if (AnalysisRun* const run = find(id); run != nullptr && run->transient) {
        return Pending<AnalysisRun*>::over(run); // also where the store is silent
    }
    const auto took = [this, id](std::int64_t) -> Result {
        AnalysisRun* run = find(id);
        return run == nullptr ? Result{not_found(id)} : Result{run};
    };
    const auto begin = [this, id, took](const storage::Done& done) -> std::optional<Result> {
        if (find(id) == nullptr) {
            return took(0);
        }
        store_.remove(id, done);
        return std::nullopt;
    };
    return durable<AnalysisRun*>(begin, took);
}

std::expected<Queue::CheckedDirective, WorkError>
Queue::directive(AnalysisId id, const std::vector<chess::Move>& line, const std::string& action,
                 const std::string& text, std::size_t back) const {
    AnalysisRun* run = find(id);
    if (run == nullptr) {
        return not_found(id);
    }
    std::vector<chess::Move> way = line;
    std::optional<chess::Move> move;
    if (concerns_move(action) && !way.empty()) {
        move = way.back();
        way.pop_back();
    }
    auto made = make_action(action, move, text);
    if (!made) {
        const bool lacks_move = concerns_move(action) && !move;
        return std::unexpected(WorkError{
            lacks_move ? WorkError::Kind::needs_move : WorkError::Kind::futile_line,
            lacks_move ? action + " needs a line that ends with the move" : made.error()});
    }
    std::vector<chess::Move> whole = run->played;
    if (back > whole.size()) {
        return std::unexpected(no_way("moves of the game were taken back meanwhile"));
    }
    whole.erase(whole.end() - static_cast<std::ptrdiff_t>(back), whole.end());
    whole.insert(whole.end(), way.begin(), way.end());
    auto there = checked(*run, std::move(whole), std::move(*made));
    if (!there) {
        return there;
    }
    const Directive& directive = there->directive;
    if (move && !there->position.is_legal(*move)) {
        return std::unexpected(no_way("its last move is illegal where the game is now"));
    }
    if (const auto* retract = std::get_if<Retract>(&directive.action)) {
        if (std::ranges::none_of(in_force(run->directives), [&](const Directive* other) {
                return other->position == directive.position && other->at == retract->given;
            })) {
            return std::unexpected(WorkError{WorkError::Kind::no_note,
                                             "there is no note or order of that moment here"});
        }
    }
    return there;
}

// A call reads its line before the changes that were wanted earlier take effect.
std::expected<Queue::CheckedDirective, WorkError>
Queue::checked(AnalysisRun& run, std::vector<chess::Move> line, Action action) const {
    chess::Position position = run.made_at;
    for (const chess::Move move : line) {
        if (!position.is_legal(move)) {
            return std::unexpected(no_way("the game has gone on meanwhile, another way"));
        }
        position.play(move);
    }
    Directive directive{0, position.packed(), std::move(line), std::move(action), moments_->next()};
    for (const Directive& other : run.directives) { // its moment names it, or is its order
        if (other.position == directive.position ||
            (std::holds_alternative<Advance>(other.action) &&
             std::holds_alternative<Advance>(directive.action))) {
            directive.at = std::max(directive.at, other.at + 1);
        }
    }
    return CheckedDirective{&run, position, std::move(directive)};
}

Pending<Queue::CheckedDirective> Queue::give(AnalysisId id, std::vector<chess::Move> line,
                                             std::string action, std::string text, std::size_t back,
                                             Futile futile) {
    return append(id, [this, id, line = std::move(line), action = std::move(action),
                       text = std::move(text), back, futile = std::move(futile)] {
        auto given = directive(id, line, action, text, back);
        if (auto reason = given && futile ? futile(*given->run, given->directive) : std::nullopt) {
            given = std::unexpected(std::move(*reason));
        }
        return given;
    });
}

Pending<Queue::CheckedDirective> Queue::advance(AnalysisId id, std::size_t back,
                                                std::vector<chess::Move> moves) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, back, moves = std::move(moves)]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return not_found(id);
        }
        std::vector<chess::Move> line = run->played;
        if (back > line.size()) {
            return std::unexpected(
                no_way("the game went on by " + std::to_string(line.size()) +
                       " plies since the analysis was made; no more can be taken back"));
        }
        line.erase(line.end() - static_cast<std::ptrdiff_t>(back), line.end());
        line.insert(line.end(), moves.begin(), moves.end());
        auto there = checked(*run, std::move(line), Advance{});
        if (there && there->position.terminal() != chess::Terminal::no) {
            return std::unexpected(no_way("the game is over in this position"));
        }
        return there;
    });
}

Pending<Queue::CheckedDirective>
Queue::append(AnalysisId id, std::function<std::expected<CheckedDirective, WorkError>()> make) {
    using Result = Pending<CheckedDirective>::Result;
    const auto checked = std::make_shared<std::optional<CheckedDirective>>();
    const auto took = [this, id, checked](std::int64_t number) -> Result {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return not_found(id);
        }
        (*checked)->directive.id = number;
        run->directives.push_back((*checked)->directive);
        return **checked;
    };
    const auto begin = [this, id, make = std::move(make), checked,
                        took](const storage::Done& done) -> std::optional<Result> {
        auto given = make();
        if (!given) {
            return std::unexpected(given.error());
        }
        *checked = std::move(*given);
        if ((*checked)->run->transient) {
            return took(0);
        }
        store_.append(record_of((*checked)->directive, id), done);
        return std::nullopt;
    };
    return durable<CheckedDirective>(begin, took);
}

Pending<std::int64_t> Queue::keep(AnalysisId id, storage::FileChange change) {
    using Result = Pending<std::int64_t>::Result;
    const auto took = [this, id](std::int64_t row) -> Result {
        if (row == 0) {
            return std::unexpected(WorkError{WorkError::Kind::changed_meanwhile,
                                             "somebody has changed it meanwhile: look again"});
        }
        if (AnalysisRun* run = find(id)) {
            run->changed = true;
        }
        return row;
    };
    const auto begin =
        [this, id, change = std::move(change)](const storage::Done& done) -> std::optional<Result> {
        const AnalysisRun* run = find(id);
        if (run == nullptr || run->transient) {
            return not_found(id);
        }
        store_.write(change, done);
        return std::nullopt;
    };
    return durable<std::int64_t>(begin, took);
}

// Queue, what the store has of the analyses.

Queue::Known Queue::known() const {
    Known known;
    for (const auto& run : runs_) {
        known.emplace(run->record.id, run->made_at);
    }
    return known;
}

Queue::Contents Queue::contents(const storage::Store& store, const Known& known) {
    Contents all;
    const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
    all.engines = store.engines(damaged); // analyses of one that is damaged fail, and say so
    const auto gone = [&](const std::string& rows) { all.gone.push_back(rows); };
    for (storage::AnalysisRecord& record : store.analyses(gone)) {
        if (const auto root = known.find(record.id); root != known.end()) {
            all.directives.emplace_back(
                record.id, read_directives(store, record.id, root->second, all.damage));
        } else {
            add(all, store, std::move(record));
        }
    }
    return all;
}

// An analysis of which nothing can be worked with is gone.
void Queue::add(Contents& all, const storage::Store& store, storage::AnalysisRecord record) {
    const auto damaged = [&](const std::string& row) { all.damage.push_back(row); };
    const auto id = record.id;
    const std::string name = "analysis " + std::to_string(static_cast<std::int64_t>(id));
    try {
        auto read = read_analysis(store, std::move(record), all.damage);
        if (!read) {
            all.gone.push_back(std::move(all.damage.back()));
            all.damage.pop_back();
            return;
        }
        std::vector<analysis::EvaluationId> asked;
        try {
            asked = store.asked(id, damaged);
        } catch (const storage::StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            damaged(name + ": what it asked for cannot be read: " + error.what());
        }
        all.fresh.push_back({std::move(*read), std::move(asked)});
    } catch (const storage::StoreError&) {
        throw; // all of them wait
    } catch (const std::exception& error) {
        all.gone.push_back(name + " cannot be read: " + error.what());
    }
}

Queue::Contents Queue::contents(const storage::Store& store, AnalysisId id,
                                const chess::Position& root) {
    Contents all;
    all.engines = store.engines();
    all.directives.emplace_back(id, read_directives(store, id, root, all.damage));
    return all;
}

std::vector<AnalysisRun*> Queue::take(Contents contents) {
    std::vector<AnalysisRun*> added;
    for (auto& [id, directives] : contents.directives) {
        if (AnalysisRun* run = find(id)) {
            take(*run, std::move(directives));
        }
    }
    for (auto& [read, asked] : contents.fresh) {
        if (AnalysisRun* run = find(read.record.id)) { // it has been made meanwhile
            take(*run, std::move(read.directives));
        } else {
            added.push_back(&add(std::move(read), asked));
        }
    }
    for (const Trouble& trouble : contents.troubles) {
        health_.take(trouble);
    }
    for (const std::string& why : contents.gone) {
        health_.found_unreadable(why);
    }
    health_.set_aside(contents.gone);
    health_.set_aside(contents.damage);
    sort();
    return added;
}

// What was said while they were read is not among them.
void Queue::take(AnalysisRun& run, std::vector<Directive> directives) {
    std::int64_t newest = 0;
    for (const Directive& one : directives) {
        newest = std::max(newest, one.id);
        moments_->seen(one.at);
    }
    std::ranges::copy_if(run.directives, std::back_inserter(directives),
                         [&](const Directive& one) { return one.id > newest; });
    run.directives = std::move(directives);
    run.changed = true;
}

AnalysisRun& Queue::add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked) {
    auto run = std::make_unique<AnalysisRun>(std::move(read.record), std::move(read.spec),
                                             read.root.start, read.root.root);
    run->directives = std::move(read.directives);
    run->follow_game();
    run->snapshots = std::vector<NotedSnapshot>(read.snapshots.begin(), read.snapshots.end());
    run->usage = read.usage;
    run->lost = std::move(read.lost);
    if (!run->lost.empty() && run->record.state != AnalysisState::paused) {
        run->record.state = AnalysisState::failed;
        run->record.state_reason = "not all that people said of it can be read: " + run->lost;
    }
    moments_->seen(run->record.created_at);
    for (const Directive& directive : run->directives) {
        moments_->seen(directive.at);
    }
    for (const storage::SnapshotRecord& snapshot : run->snapshots) {
        moments_->seen(snapshot.at);
    }
    for (const analysis::EvaluationId fact : asked) {
        run->asked.insert(fact);
    }
    run->restart();
    return *runs_.emplace_back(std::move(run));
}

void OrderedWrites::add(Task task) {
    tasks_.push_back(std::move(task));
    begin_next();
}

// What begins or ends may add others: they come after it.
void OrderedWrites::begin_next() {
    if (std::exchange(busy_, true)) {
        return;
    }
    while (!under_way_ && !tasks_.empty()) {
        const auto shared = std::make_shared<Shared>();
        const auto done = [this, core = core_, shared](const Outcome& outcome) {
            {
                const std::lock_guard lock{shared->mutex};
                shared->outcome = outcome;
            }
            shared->came.notify_one();
            core.post([this, shared] { take(shared); });
        };
        bool writes = false;
        const Task task = tasks_.front();
        attempt_([&] { writes = task.begin(done); });
        if (writes) {
            under_way_ = shared;
        } else {
            tasks_.pop_front();
        }
    }
    busy_ = false;
}

// Once: whoever waits takes it before what was posted does.
void OrderedWrites::take(const std::shared_ptr<Shared>& from) {
    if (under_way_ != from) {
        return;
    }
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    Outcome outcome;
    {
        const std::lock_guard lock{from->mutex};
        outcome = *from->outcome;
    }
    busy_ = true;
    under_way_.reset();
    attempt_([&] { task.end(outcome); });
    busy_ = false;
    begin_next();
}

void OrderedWrites::wait() {
    while (under_way_) {
        const auto shared = under_way_;
        {
            std::unique_lock lock{shared->mutex};
            shared->came.wait(lock, [&] { return shared->outcome.has_value(); });
        }
        take(shared);
    }
}

} // namespace adjourn::server
