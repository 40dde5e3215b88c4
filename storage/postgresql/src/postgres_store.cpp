#include "postgres_store.hpp"

#include "check.hpp"
#include "schema.hpp"
#include "storage_postgresql/open.hpp"

#include <utility>

namespace adjourn::storage::postgresql {

std::unique_ptr<Store> open(const std::string& url, const std::string& shown, OpenMode mode) {
    return std::make_unique<PostgresStore>(url, shown, mode);
}

std::optional<std::string> announced_to_workers(const std::string& url, const std::string& shown) {
    Connection connection{url, shown, Access::read};
    require_current(connection, migrations());
    if (!has_owner(connection)) {
        return std::nullopt;
    }
    return property(connection, workers_property);
}

PostgresStore::PostgresStore(std::string url, std::string shown, OpenMode mode)
    : url_{std::move(url)}, shown_{std::move(shown)} {
    if (mode == OpenMode::owner) {
        target_ = std::make_unique<PostgresTarget>(url_, shown_);
        writer_ = std::make_unique<GroupWriter<Work>>(*target_);
        watch_ = std::make_unique<Queries>(url_, shown_);
        return;
    }
    auto queries = std::make_unique<Queries>(url_, shown_);
    require_current(queries->connection(), migrations());
    idle_.push_back(std::move(queries));
    writer_ = std::make_unique<GroupWriter<Work>>("not stored: " + shown_ +
                                                  " was opened for reading only");
}

template <class Read>
auto PostgresStore::read(Read read) const {
    std::unique_ptr<Queries> queries;
    {
        const std::lock_guard lock{mutex_};
        if (!idle_.empty()) {
            queries = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (queries && queries->connection().lost()) {
        queries.reset();
    }
    if (!queries) {
        queries = std::make_unique<Queries>(url_, shown_);
    }
    const auto give_back = [&] {
        const std::lock_guard lock{mutex_};
        idle_.push_back(std::move(queries));
    };
    try { // where it throws, the connection goes
        if constexpr (std::is_void_v<decltype(read(*queries))>) {
            read(*queries);
            give_back();
        } else {
            auto result = read(*queries);
            give_back();
            return result;
        }
    } catch (const StoreError& error) {
        if (error.damage()) {
            damage_.take(error.what());
        }
        throw;
    }
}

// ---- writes ----

void PostgresStore::submit(std::function<Outcome(Writes&)> work, Done done) {
    writer_->submit(std::move(work), std::move(done));
}

void PostgresStore::append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by,
                           Done done) {
    writer_->submit(Fact{evaluation, asked_by}, std::move(done));
}

void PostgresStore::fail(const FailureRecord& failure, Done done) {
    submit([failure](Writes& writes) { return writes.fail(failure); }, std::move(done));
}

void PostgresStore::clear_failures(EngineId engine, Done done) {
    submit([engine](Writes& writes) { return writes.clear_failures(engine); }, std::move(done));
}

void PostgresStore::insert(const AnalysisRecord& analysis, Done done) {
    submit([analysis](Writes& writes) { return writes.insert(analysis); }, std::move(done));
}

void PostgresStore::update(const AnalysisRecord& analysis, Done done) {
    submit([analysis](Writes& writes) { return writes.update(analysis); }, std::move(done));
}

void PostgresStore::remove(AnalysisId analysis, Done done) {
    submit([analysis](Writes& writes) { return writes.remove(analysis); }, std::move(done));
}

void PostgresStore::append(const DirectiveRecord& directive, Done done) {
    submit([directive](Writes& writes) { return writes.append(directive); }, std::move(done));
}

void PostgresStore::append(const SnapshotRecord& snapshot, Done done) {
    submit([snapshot](Writes& writes) { return writes.append(snapshot); }, std::move(done));
}

void PostgresStore::append(const SeedRecord& seed, Done done) {
    submit([seed](Writes& writes) { return writes.append(seed); }, std::move(done));
}

void PostgresStore::set(const UsageRecord& usage, Done done) {
    submit([usage](Writes& writes) { return writes.set(usage); }, std::move(done));
}

void PostgresStore::flush() {
    writer_->flush();
}

void PostgresStore::announce(const std::string& url, const std::string& to_workers) {
    if (!target_) {
        throw StoreError{"only the owner of a store announces"};
    }
    writer_->await(target_->announcement(url, to_workers));
}

// ---- the environment ----

// By a connection of its own, which reads what reads for people need: so that a table that somebody
// has locked is seen here, too.
StoreEnvironment PostgresStore::environment() const {
    const std::lock_guard lock{watch_mutex_};
    StoreEnvironment seen;
    try {
        if (!watch_ || watch_->connection().lost()) {
            watch_.reset();
            watch_ = std::make_unique<Queries>(url_, shown_);
        }
        watch_->connection().run("SELECT 1 FROM evaluations WHERE id = 0");
        seen.evaluations = watch_->evaluation_count();
    } catch (const StoreError& error) {
        seen.problem = error.what();
    }
    seen.damage = damage_.first();
    return seen;
}

void PostgresStore::recover() {
    if (!target_) { // for reading only: a read is tried
        evaluation_count();
        return;
    }
    writer_->recover();
}

// ---- reads ----

EngineId PostgresStore::engine(const EngineRecord& engine) {
    const auto known =
        read([&](Queries& queries) { return queries.find_engine(engine.fingerprint()); });
    return known ? *known
                 : EngineId{writer_
                                ->await(std::function<Outcome(Writes&)>{
                                    [engine](Writes& writes) { return writes.engine(engine); }})
                                .id};
}

std::vector<EngineRecord> PostgresStore::engines(const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.engines(damaged); });
}

void PostgresStore::for_each_evaluation(EngineId engine,
                                        const std::function<void(const Evaluation&)>& visit,
                                        const Damaged& damaged, const Wanted& wanted) const {
    read([&](Queries& queries) {
        const auto always = [&](const Evaluation& evaluation) {
            visit(evaluation);
            return true;
        };
        queries.visit_evaluations(engine, {}, always, damaged, wanted);
    });
}

std::vector<Evaluation> PostgresStore::evaluations_after(EngineId engine, EvaluationId after,
                                                         std::size_t most,
                                                         const Damaged& damaged) const {
    return read([&](Queries& queries) {
        std::vector<Evaluation> result;
        const auto visit = [&](const Evaluation& evaluation) {
            result.push_back(evaluation);
            return result.size() < most;
        };
        queries.visit_evaluations(engine, after, visit, damaged);
        return result;
    });
}

std::vector<Evaluation> PostgresStore::evaluations(const chess::PackedPosition& position,
                                                   const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.evaluations(position, damaged); });
}

std::optional<Evaluation> PostgresStore::answer(const Question& question) const {
    return read([&](Queries& queries) { return queries.answer(question); });
}

std::uint64_t PostgresStore::evaluation_count() const {
    return read([](Queries& queries) { return queries.evaluation_count(); });
}

std::vector<FailureRecord> PostgresStore::failures(EngineId engine, const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.failures(engine, damaged); });
}

std::vector<AnalysisRecord> PostgresStore::analyses(const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.analyses(damaged); });
}

std::vector<DirectiveRecord> PostgresStore::directives(AnalysisId analysis,
                                                       const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.directives(analysis, damaged); });
}

std::vector<SnapshotRecord> PostgresStore::snapshots(AnalysisId analysis,
                                                     const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.snapshots(analysis, damaged); });
}

std::vector<SeedRecord> PostgresStore::seeds(AnalysisId analysis, const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.seeds(analysis, damaged); });
}

UsageRecord PostgresStore::usage(AnalysisId analysis, const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.usage(analysis, damaged); });
}

std::vector<EvaluationId> PostgresStore::asked(AnalysisId analysis, const Damaged& damaged) const {
    return read([&](Queries& queries) { return queries.asked(analysis, damaged); });
}

std::vector<std::string> PostgresStore::check() const {
    return read([this](Queries& queries) {
        const Connection::Unhurried all{queries.connection()};
        return check_database(*this, queries.connection());
    });
}

} // namespace adjourn::storage::postgresql
