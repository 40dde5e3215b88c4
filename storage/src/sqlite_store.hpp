// SqliteStore: the Store of one machine. Puts lock, writer and readers together.
#pragma once

#include "directory_lock.hpp"
#include "file_watch.hpp"
#include "high_water.hpp"
#include "reader_pool.hpp"
#include "storage/open.hpp"
#include "writer.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::storage {

class SqliteStore final : public Store {
public:
    SqliteStore(std::filesystem::path directory, OpenMode mode,
                int checkpoint_pages = SqliteTarget::default_checkpoint_pages);
    ~SqliteStore() override;

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
    void recover() override;
    void accept_missing() override;

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
    std::vector<std::string> survey() const override;
    std::vector<std::string> check() const override;

private:
    void open_owner(int checkpoint_pages);
    void open_read();
    // What is wrong with the files that are open; "" if nothing is. Of the writing thread.
    std::string trouble() const;
    std::filesystem::path file() const { return directory_ / "adjourn.db"; }

    // Destroyed from the end: the writer finishes while readers still work, and the writing
    // connection closes last, which empties the log.
    const std::filesystem::path directory_;
    DirectoryLock lock_;
    mutable DamageNote damage_;
    std::optional<HighWater> high_water_;
    std::unique_ptr<Database> database_; // the writer's; none when reading only
    std::unique_ptr<ReaderPool> readers_;
    std::optional<FileWatch> watch_; // what the owner has open
    std::unique_ptr<SqliteTarget> target_;
    std::unique_ptr<Writer> writer_;
};

} // namespace adjourn::storage
