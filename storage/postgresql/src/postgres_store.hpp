// PostgresStore: the Store in a database of PostgreSQL. Puts writer and readers together.
#pragma once

#include "queries.hpp"
#include "storage/open.hpp"
#include "storage_base/damage_note.hpp"
#include "target.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::storage::postgresql {

class PostgresStore final : public Store {
public:
    PostgresStore(std::string url, std::string shown, OpenMode mode);

    using Store::append;
    void append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by,
                Done done) override;
    void fail(const FailureRecord& failure, Done done) override;
    void clear_failures(EngineId engine, Done done) override;
    void insert(const AnalysisRecord& analysis, Done done) override;
    void update(const AnalysisRecord& analysis, Done done) override;
    void remove(AnalysisId analysis, Done done) override;
    void append(const DirectiveRecord& directive, Done done) override;
    void append(const SnapshotRecord& snapshot, Done done) override;
    void append(const SeedRecord& seed, Done done) override;
    void set(const UsageRecord& usage, Done done) override;
    void flush() override;
    void announce(const std::string& url, const std::string& to_workers) override;
    StoreEnvironment environment() const override;
    Writing writing() const override { return writer_->writing(); }
    CommitTimes commit_times() const override { return writer_->commit_times(); }
    bool taken() const override { return target_ && target_->taken(); }
    void recover() override;

    EngineId engine(const EngineRecord& engine) override;
    std::vector<EngineRecord> engines(const Damaged& damaged) const override;
    void for_each_evaluation(EngineId engine, const std::function<void(const Evaluation&)>& visit,
                             const Damaged& damaged, const Wanted& wanted) const override;
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after, std::size_t most,
                                              const Damaged& damaged) const override;
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged) const override;
    std::optional<Evaluation> answer(const Question& question) const override;
    std::uint64_t evaluation_count() const override;
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged) const override;
    std::vector<AnalysisRecord> analyses(const Damaged& damaged) const override;
    std::vector<DirectiveRecord> directives(AnalysisId analysis,
                                            const Damaged& damaged) const override;
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis,
                                          const Damaged& damaged) const override;
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged) const override;
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged) const override;
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged) const override;
    std::vector<std::string> check() const override;

private:
    void submit(std::function<Outcome(Writes&)> work, Done done);
    // Runs a read on a connection that no other read uses now; a connection that was lost while it
    // was idle is made anew.
    template <class Read>
    auto read(Read read) const;

    const std::string url_, shown_;
    mutable DamageNote damage_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Queries>> idle_;
    mutable std::mutex watch_mutex_;         // of what follows
    mutable std::unique_ptr<Queries> watch_; // by which one sees that the server has gone
    std::unique_ptr<PostgresTarget> target_; // none when reading only
    std::unique_ptr<GroupWriter<Work>> writer_;
};

} // namespace adjourn::storage::postgresql
