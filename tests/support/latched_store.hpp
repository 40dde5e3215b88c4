// LatchedStore: a store whose disk can be made to hang: as long as it is held, whoever reads, or
// waits for a write, waits. What does not block in a real store does not here.
#pragma once

#include "storage/store.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace adjourn::storage::test {

class LatchedStore final : public Store {
public:
    explicit LatchedStore(std::unique_ptr<Store> store) : store_{std::move(store)} {}
    ~LatchedStore() override { release(); }

    void hold() { set(true); }
    void release() { set(false); }
    // What is there already, told or not.
    const Store& beneath() const { return *store_; }

    using Store::append;
    void append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by,
                Done done) override {
        store_->append(evaluation, asked_by, held(std::move(done)));
    }
    void fail(const FailureRecord& failure, Done done) override {
        store_->fail(failure, held(std::move(done)));
    }
    void clear_failures(EngineId engine, Done done) override {
        store_->clear_failures(engine, held(std::move(done)));
    }
    void insert(const AnalysisRecord& analysis, Done done) override {
        store_->insert(analysis, held(std::move(done)));
    }
    void update(const AnalysisRecord& analysis, Done done) override {
        store_->update(analysis, held(std::move(done)));
    }
    void remove(AnalysisId analysis, Done done) override {
        store_->remove(analysis, held(std::move(done)));
    }
    void append(const DirectiveRecord& directive, Done done) override {
        store_->append(directive, held(std::move(done)));
    }
    void append(const SnapshotRecord& snapshot, Done done) override {
        store_->append(snapshot, held(std::move(done)));
    }
    void append(const SeedRecord& seed, Done done) override {
        store_->append(seed, held(std::move(done)));
    }
    void set(const UsageRecord& usage, Done done) override {
        store_->set(usage, held(std::move(done)));
    }
    void flush() override { passed().flush(); }
    void announce(const std::string& url, const std::string& to_workers) override {
        passed().announce(url, to_workers);
    }
    StoreEnvironment environment() const override { return passed().environment(); }
    Writing writing() const override { return store_->writing(); }
    CommitTimes commit_times() const override { return store_->commit_times(); }
    void recover() override { passed().recover(); }

    EngineId engine(const EngineRecord& engine) override { return passed().engine(engine); }
    std::vector<EngineRecord> engines(const Damaged& damaged) const override {
        return passed().engines(damaged);
    }
    void for_each_evaluation(EngineId engine, const std::function<void(const Evaluation&)>& visit,
                             const Damaged& damaged, const Wanted& wanted) const override {
        passed().for_each_evaluation(engine, visit, damaged, wanted);
    }
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after, std::size_t most,
                                              const Damaged& damaged) const override {
        return passed().evaluations_after(engine, after, most, damaged);
    }
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged) const override {
        return passed().evaluations(position, damaged);
    }
    std::optional<Evaluation> answer(const Question& question) const override {
        return passed().answer(question);
    }
    std::uint64_t evaluation_count() const override { return passed().evaluation_count(); }
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged) const override {
        return passed().failures(engine, damaged);
    }
    std::vector<AnalysisRecord> analyses(const Damaged& damaged) const override {
        return passed().analyses(damaged);
    }
    std::vector<DirectiveRecord> directives(AnalysisId analysis,
                                            const Damaged& damaged) const override {
        return passed().directives(analysis, damaged);
    }
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis,
                                          const Damaged& damaged) const override {
        return passed().snapshots(analysis, damaged);
    }
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged) const override {
        return passed().seeds(analysis, damaged);
    }
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged) const override {
        return passed().usage(analysis, damaged);
    }
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged) const override {
        return passed().asked(analysis, damaged);
    }
    std::vector<std::string> check() const override { return passed().check(); }

private:
    struct Latch {
        std::mutex mutex;
        std::condition_variable changed;
        bool held = false;

        void pass() {
            std::unique_lock lock{mutex};
            changed.wait(lock, [this] { return !held; });
        }
    };

    void set(bool held) {
        {
            const std::lock_guard lock{latch_->mutex};
            latch_->held = held;
        }
        latch_->changed.notify_all();
    }
    Store& passed() const {
        latch_->pass();
        return *store_;
    }
    // The writer's thread hangs, as in a commit.
    Done held(Done done) const {
        return [latch = latch_, done = std::move(done)](const auto& written) {
            latch->pass();
            if (done) {
                done(written);
            }
        };
    }

    const std::shared_ptr<Latch> latch_ = std::make_shared<Latch>();
    const std::unique_ptr<Store> store_;
};

} // namespace adjourn::storage::test
