// Queue: the analyses, in the order in which people put them, and what people change of them. A
// change is durable before it takes effect. Knows no graph and no engine at work; what a change
// means for these is for the caller, who is told what has changed. Lives on the core's thread;
// blocks for the disk only in what people ask for.
#pragma once

#include "graphs/analysis_run.hpp"
#include "graphs/followed.hpp"
#include "graphs/work_error.hpp"
#include "health/health.hpp"
#include "health/moments.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct NewAnalysis {
    std::string name;
    chess::Position start;
    std::vector<chess::Move> moves;
    std::string engine; // profile name, "" = default
    analysis::Limit limit;
    AnalysisSpec spec;
    int priority = 0;
    bool hold = false;
    bool transient = false; // lives in memory only: gone with the program; its answers are kept
    std::uint64_t game = 0; // between two of these engines are told of a new game
};

struct AnalysisPatch {
    std::optional<std::string> name;
    std::optional<bool> hold;
    std::optional<int> priority;
    std::optional<double> rank;
    std::optional<analysis::Limit> limit;
    std::optional<analysis::StrategyParameters> strategy;
    std::optional<Budget> budget;
    std::optional<std::optional<TimeWindow>> window;
    std::optional<analysis::StopRules> stop;
    std::optional<std::vector<std::string>> accept;
    std::optional<bool> fifty_moves;
    std::optional<std::vector<std::string>> tags;
    std::optional<GameLabels> game;
};

class Queue {
public:
    using Clock = std::function<analysis::UnixMs()>; // wall clock

    // The store and `health` must outlive it. `follows`: another server writes; what the work here
    // would change is not kept, for it comes from there.
    Queue(storage::Store& store, Health& health, Clock clock, bool follows = false)
        : store_{store}, health_{health}, clock_{std::move(clock)}, follows_{follows},
          moments_{std::make_shared<Moments>(clock_)} {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    // What gives facts their moments; those of the analyses that were read are seen.
    const std::shared_ptr<Moments>& moments() const { return moments_; }

    // ---- what the store has ----
    // Reads the analyses that are not here yet, and what people said about those that are. Returns
    // the new ones. Rows that are not sound are set aside; that an analysis is missing, or not all
    // that was said of it is here, is told as long as nobody says that it is known. Throws
    // storage::StoreError: then none is new.
    std::vector<AnalysisRun*> read();

    // What people said of it, when others than say() have written to the store.
    void reread(AnalysisRun& run);

    // What another server has stored of it; of one that is not gone.
    struct Followed {
        AnalysisRun* run;
        bool tree; // what its plan is made of has changed
    };
    Followed follow(FollowedAnalysis now);

    // ---- looking ----
    const std::vector<std::unique_ptr<AnalysisRun>>& runs() const { return runs_; } // in order
    AnalysisRun* find(analysis::AnalysisId id) const; // null if there is none

    // ---- changes by people; durable on return ----
    // `profile` is "" where the config has none of the name that is wanted; `engine` is that of the
    // profile, if it is known yet. A newcomer is the last of its priority.
    std::expected<AnalysisRun*, WorkError> create(NewAnalysis wanted, const std::string& profile,
                                                  analysis::EngineId engine);
    struct Changed {
        AnalysisRun* run;
        bool tree; // what its plan is made of
    };
    std::expected<Changed, WorkError> change(analysis::AnalysisId id, const AnalysisPatch& patch);
    // Nobody may know the analysis any more: it is no member of a graph.
    void erase(AnalysisRun& run);
    // In the store; it is here until erase().
    std::expected<AnalysisRun*, WorkError> remove(analysis::AnalysisId id);
    // What somebody means to say: `line` leads from the root to where the order applies; one that
    // can be about a move acts on its last one. `action` and `text` as make_order() has them. Notes
    // of one position never have the same moment.
    struct Said {
        AnalysisRun* run;
        chess::Position position; // where it applies
        Directive directive;
    };
    std::expected<Said, WorkError> directive(analysis::AnalysisId id,
                                             const std::vector<chess::Move>& line,
                                             const std::string& action,
                                             const std::string& text) const;
    // Returns its number; 0 of a transient analysis.
    std::expected<std::int64_t, WorkError> say(AnalysisRun& run, Directive said);

    // ---- what the work changes; durable some time later ----
    void save(AnalysisRun& run);
    // Kept with the analysis, and stored unless it is transient.
    void record(AnalysisRun& run, storage::SnapshotRecord snapshot);
    // Those that record() could not store, once it can; `health` is told where it cannot. To be
    // called now and then. Blocks for the disk where there are some.
    void record_again();
    // Failures of this engine are forgotten.
    void clear_failures(analysis::EngineId engine) {
        store_.clear_failures(engine, [](const auto&) {});
    }
    // After a write that failed. True: the store works, and has refused that one for what it says.
    // Blocks until what was queued before is durable.
    bool store_works();

private:
    AnalysisRun* add(storage::AnalysisRecord record, std::vector<std::string>& damage);
    AnalysisRun* set_aside(const std::string& why, std::vector<std::string>& damage);
    AnalysisRun& add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked);
    void sort();
    WorkError store_error(const std::string& problem);
    template <class Write>
    std::expected<std::int64_t, WorkError> durable(Write write);

    // What was not stored, told by the store's own thread.
    struct Refused {
        std::mutex mutex;
        std::vector<storage::SnapshotRecord> snapshots;
    };
    void store_snapshot(const storage::SnapshotRecord& snapshot);

    storage::Store& store_;
    Health& health_;
    Clock clock_;
    bool follows_;
    std::shared_ptr<Moments> moments_;
    std::vector<std::unique_ptr<AnalysisRun>> runs_;
    std::shared_ptr<Refused> refused_ = std::make_shared<Refused>();
    std::int64_t last_transient_ = 0; // ids of transient analyses count down from −1
};

} // namespace adjourn::server
