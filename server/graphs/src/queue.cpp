#include "graphs/queue.hpp"

#include "records/stored_analysis.hpp"
#include "records/write_through.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::server {

using analysis::AnalysisId;
using storage::AnalysisState;

namespace {

std::unexpected<WorkError> not_found(AnalysisId id) {
    return std::unexpected(
        WorkError{WorkError::Kind::no_analysis,
                  "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))});
}

// Nothing could be done until a moment that has been.
bool is_past(const Budget& budget, analysis::UnixMs now) {
    return budget.until && *budget.until <= now;
}

WorkError past_moment() {
    return {WorkError::Kind::past_moment, "the moment until which it is to work has passed"};
}

} // namespace

// ---- what the store has ----

std::vector<AnalysisRun*> Queue::read() {
    std::vector<AnalysisRun*> added;
    std::vector<std::string> damage;
    const auto damaged = [&](const std::string& row) { damage.push_back(row); };
    (void)store_.engines(damaged); // analyses of one that is damaged fail, and say so
    for (storage::AnalysisRecord& record : store_.analyses(damaged)) {
        if (AnalysisRun* run = find(record.id)) {
            run->directives = read_directives(store_, record.id, run->root, damage);
        } else if (AnalysisRun* fresh = add(std::move(record), damage)) {
            added.push_back(fresh);
        }
    }
    health_.set_aside(damage);
    sort();
    return added;
}

void Queue::reread(AnalysisRun& run) {
    std::vector<std::string> damage;
    run.directives = read_directives(store_, run.record.id, run.root, damage);
    for (const Directive& said : run.directives) {
        moments_->seen(said.at);
    }
    run.changed = true;
    health_.set_aside(damage);
}

// Null if it is not sound, or cannot be read.
AnalysisRun* Queue::add(storage::AnalysisRecord record, std::vector<std::string>& damage) {
    AnalysisRun* added = nullptr;
    const auto number = std::to_string(static_cast<std::int64_t>(record.id));
    health_.attempt("analysis " + number, [&] {
        auto read = read_analysis(store_, std::move(record), damage);
        if (!read) {
            return;
        }
        const auto damaged = [&](const std::string& row) { damage.push_back(row); };
        const auto asked = store_.asked(read->record.id, damaged);
        added = &add(std::move(*read), asked);
    });
    return added;
}

AnalysisRun& Queue::add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked) {
    auto run = std::make_unique<AnalysisRun>(std::move(read.record), std::move(read.spec),
                                             read.root.start, read.root.root);
    run->directives = std::move(read.directives);
    run->snapshots = std::move(read.snapshots);
    run->usage = read.usage;
    moments_->seen(run->record.created_at);
    for (const Directive& said : run->directives) {
        moments_->seen(said.at);
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

Queue::Followed Queue::follow(FollowedAnalysis now) {
    AnalysisRun* run = find(now.id);
    const bool fresh = run == nullptr;
    bool tree = fresh;
    if (fresh) {
        run = &add(std::move(*now.stored), now.asked);
    } else {
        StoredAnalysis& stored = *now.stored;
        tree = stored.record.limit != run->record.limit ||
               !(stored.spec.strategy == run->spec.strategy) ||
               !(stored.spec.stop == run->spec.stop) ||
               stored.directives.size() != run->directives.size();
        run->record = std::move(stored.record);
        run->spec = std::move(stored.spec);
        run->directives = std::move(stored.directives);
        run->snapshots = std::move(stored.snapshots);
        run->usage = stored.usage;
        for (const analysis::EvaluationId fact : now.asked) {
            run->asked.insert(fact);
        }
        run->changed = true;
    }
    sort();
    return {run, tree};
}

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

// ---- changes by people ----

bool Queue::store_works() {
    return static_cast<bool>(
        health_.attempt("storing", [this] { store_.flush(); })); // throws where it does not
}

WorkError Queue::store_error(const std::string& problem) {
    return {WorkError::Kind::store_failed, "the store cannot write: " + problem};
}

// The row's number.
template <class Write>
std::expected<std::int64_t, WorkError> Queue::durable(Write write) {
    const auto written = write_through(write);
    if (!written) {
        store_works(); // else `health` keeps why
        return std::unexpected(store_error(written.error()));
    }
    return written->id;
}

std::expected<AnalysisRun*, WorkError> Queue::create(NewAnalysis wanted, const std::string& profile,
                                                     analysis::EngineId engine) {
    if (!health_.store_problem().empty()) {
        return std::unexpected(store_error(health_.store_problem()));
    }
    if (is_past(wanted.spec.budget, clock_())) {
        return std::unexpected(past_moment());
    }
    if (profile.empty()) {
        return std::unexpected(
            WorkError{WorkError::Kind::no_engine,
                      "no engine is named '" + wanted.engine + "' in the config"});
    }
    chess::Position root = wanted.start;
    for (const chess::Move move : wanted.moves) {
        root.play(move);
    }
    storage::AnalysisRecord record;
    record.name = wanted.name;
    record.root_fen = wanted.start.fen();
    record.root_moves = wanted.moves;
    record.profile = profile;
    record.engine = engine;
    record.limit = wanted.limit;
    record.parameters = to_text(wanted.spec);
    record.priority = wanted.priority;
    for (const auto& other : runs_) {
        record.rank = std::max(record.rank, other->record.rank);
    }
    record.rank += 1;
    record.state = wanted.hold ? AnalysisState::paused : AnalysisState::queued;
    record.created_at = moments_->next();
    if (wanted.transient) {
        record.id = AnalysisId{--last_transient_};
    } else {
        const auto id = durable([&](storage::Done done) { store_.insert(record, done); });
        if (!id) {
            return std::unexpected(id.error());
        }
        record.id = AnalysisId{*id};
    }
    auto run = std::make_unique<AnalysisRun>(std::move(record), std::move(wanted.spec),
                                             wanted.start, root);
    run->transient = wanted.transient;
    run->game = wanted.game;
    run->usage.analysis = run->record.id;
    run->seeds_read = true; // there are none
    AnalysisRun* const added = runs_.emplace_back(std::move(run)).get();
    sort();
    return added;
}

std::expected<Queue::Changed, WorkError> Queue::change(AnalysisId id, const AnalysisPatch& patch) {
    AnalysisRun* run = find(id);
    if (run == nullptr) {
        return not_found(id);
    }
    if (patch.budget && patch.budget->until != run->spec.budget.until &&
        is_past(*patch.budget, clock_())) { // what was set before may stay
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
    spec.labels.tags = patch.tags.value_or(spec.labels.tags);
    spec.labels.game = patch.game.value_or(spec.labels.game);
    record.parameters = to_text(spec);
    if (patch.hold) {
        record.state = *patch.hold ? AnalysisState::paused : AnalysisState::queued;
        record.state_reason = "";
    }
    if (!run->transient) {
        const auto written = durable([&](storage::Done done) { store_.update(record, done); });
        if (!written) {
            return std::unexpected(written.error());
        }
    }
    const bool tree = record.limit != run->record.limit || !(spec.strategy == run->spec.strategy) ||
                      !(spec.stop == run->spec.stop);
    run->record = std::move(record);
    run->spec = spec;
    if (patch.budget) {
        run->spent = false;
        run->stale = true;
    }
    run->changed = true;
    sort();
    return Changed{run, tree};
}

std::expected<AnalysisRun*, WorkError> Queue::remove(AnalysisId id) {
    AnalysisRun* run = find(id);
    if (run == nullptr) {
        return not_found(id);
    }
    if (!run->transient) {
        const auto written = durable([&](storage::Done done) { store_.remove(id, done); });
        if (!written) {
            return std::unexpected(written.error());
        }
    }
    return run;
}

void Queue::erase(AnalysisRun& run) {
    std::erase_if(runs_, [&](const auto& other) { return other.get() == &run; });
}

std::expected<Queue::Said, WorkError> Queue::directive(AnalysisId id,
                                                       const std::vector<chess::Move>& line,
                                                       const std::string& action,
                                                       const std::string& text) const {
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
    auto order = make_order(action, move, text);
    if (!order) {
        const bool lacks_move = concerns_move(action) && !move;
        return std::unexpected(WorkError{
            lacks_move ? WorkError::Kind::needs_move : WorkError::Kind::futile_line,
            lacks_move ? action + " needs a line that ends with the move" : order.error()});
    }
    chess::Position position = run->root;
    for (const chess::Move each : way) {
        position.play(each);
    }
    Directive said{0, position.packed(), std::move(way), std::move(*order), moments_->next()};
    for (const Directive& other : run->directives) {
        if (other.position == said.position) {
            said.at = std::max(said.at, other.at + 1); // its moment names it
        }
    }
    if (const auto* retract = std::get_if<Retract>(&said.order)) {
        if (std::ranges::none_of(standing(run->directives), [&](const Directive* order) {
                return order->position == said.position && order->at == retract->given;
            })) {
            return std::unexpected(WorkError{WorkError::Kind::no_note,
                                             "there is no note or order of that moment here"});
        }
    }
    return Said{run, position, std::move(said)};
}

std::expected<std::int64_t, WorkError> Queue::say(AnalysisRun& run, Directive said) {
    if (!run.transient) {
        const auto id = durable(
            [&](storage::Done done) { store_.append(record_of(said, run.record.id), done); });
        if (!id) {
            return std::unexpected(id.error());
        }
        said.id = *id;
    }
    const std::int64_t id = said.id;
    run.directives.push_back(std::move(said));
    return id;
}

// ---- what the work changes ----

void Queue::save(AnalysisRun& run) {
    run.changed = true;
    if (!run.transient && !follows_) {
        store_.update(run.record, [](const auto&) {});
    }
}

void Queue::record(AnalysisRun& run, storage::SnapshotRecord snapshot) {
    if (follows_) {
        return;
    }
    run.snapshots.push_back(snapshot);
    if (!run.transient) {
        store_snapshot(snapshot);
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

} // namespace adjourn::server
