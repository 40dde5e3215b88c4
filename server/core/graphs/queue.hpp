// Queue: the analyses, in the order in which people put them, and what people change of them. A
// change is durable before it takes effect. Knows no graphs and no engines: methods return what has
// changed, and the caller does the rest. Lives on the core's thread, and
// never blocks for the disk there.
#pragma once

#include "base/task_scope.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/pending.hpp"
#include "core/guards/guard.hpp"
#include "core/records/stored_analysis.hpp"
#include "storage/store.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// OrderedWrites: writes that people wait for, one after the other: each begins when what the one
// before it has changed is durable and has taken effect, and so sees it. Nobody waits for the disk
// on the core's thread, where all of this is used.
class OrderedWrites {
public:
    using Outcome = storage::Outcome;
    // `begin` hands a write to the store with the callback and returns true, or returns false if
    // there is nothing to write. `end` is called after a write.
    struct Task {
        std::function<bool(const storage::Done&)> begin;
        std::function<void(const Outcome&)> end;
    };

    // Runs a task under a guard. Whether all went well.
    using Attempt = std::function<bool(const std::function<void()>&)>;

    OrderedWrites(base::TaskScope::Poster core, Attempt attempt)
        : core_{std::move(core)}, attempt_{std::move(attempt)} {}
    OrderedWrites(const OrderedWrites&) = delete;
    OrderedWrites& operator=(const OrderedWrites&) = delete;

    // Begins now if none is under way.
    void add(Task task);
    // Returns when none is left. Blocks for the disk.
    void wait();

private:
    // Of the write that is under way; the store's thread tells it.
    struct Shared {
        std::mutex mutex;
        std::condition_variable came;
        std::optional<Outcome> outcome;
    };

    void begin_next();
    void take(const std::shared_ptr<Shared>& from);

    base::TaskScope::Poster core_;
    Attempt attempt_;
    std::deque<Task> tasks_; // the first one is under way if there is an under_way_
    std::shared_ptr<Shared> under_way_;
    bool busy_ = false; // something begins or ends
};

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
    std::optional<std::size_t> place = {}; // AnalysisRun::place
    std::uint64_t game = 0; // engines get "ucinewgame" between searches of different games
};

class Queue {
public:
    using Clock = std::function<analysis::UnixMs()>; // wall clock

    // The store and `health` must outlive it.
    Queue(storage::Store& store, Health& health, Clock clock, base::TaskScope::Poster core)
        : store_{store}, health_{health}, clock_{std::move(clock)},
          moments_{std::make_shared<Moments>(clock_)},
          writes_{std::move(core), [this](const std::function<void()>& task) {
                      const HoldWatch::Hold hold{health_.watch(), "change"};
                      return health_.attempt("a change by people", task).done;
                  }} {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    // The source of moments (UnixMs) for new facts: always later than all that were read.
    const std::shared_ptr<Moments>& moments() const { return moments_; }

    // ---- what the store has ----
    // Analyses that are here, and the roots that they were made with.
    using Known = std::map<analysis::AnalysisId, chess::Position>;
    Known known() const;
    // What a store has: analyses that are not known, and the directives of those that are.
    struct Contents {
        struct Fresh {
            StoredAnalysis read;
            std::vector<analysis::EvaluationId> asked;
        };
        std::vector<storage::EngineRecord> engines;
        std::vector<Fresh> fresh;
        std::vector<std::pair<analysis::AnalysisId, std::vector<Directive>>> directives;
        std::vector<std::string> gone;   // analyses that cannot be read: row and reason
        std::vector<std::string> damage; // other rows that are not sound
        std::vector<Trouble> troubles;   // of what could not be read
    };
    // Any thread; blocks for the disk. Throws storage::StoreError.
    static Contents contents(const storage::Store& store, const Known& known);
    // Only the directives of one analysis.
    static Contents contents(const storage::Store& store, analysis::AnalysisId id,
                             const chess::Position& root);
    // Adds the contents; returns the new analyses. Rows that are not sound are set aside. Health
    // reports lost analyses and directives until a person has confirmed that he knows.
    std::vector<AnalysisRun*> take(Contents contents);

    // ---- looking ----
    const std::vector<std::unique_ptr<AnalysisRun>>& runs() const { return runs_; } // in order
    AnalysisRun* find(analysis::AnalysisId id) const; // null if there is none

    // ---- changes by people: in order, and each is durable before it takes effect ----
    // `profile` is "" where the config has none of the name that is wanted; `engine` is that of the
    // profile, if it is known yet. A newcomer is the last of its priority.
    Pending<AnalysisRun*> create(NewAnalysis wanted, const std::string& profile,
                                 analysis::EngineId engine);
    struct Changed {
        AnalysisRun* run;
        bool tree; // the plan changes with it
    };
    Pending<Changed> change(analysis::AnalysisId id, AnalysisPatch patch);
    // What `make` makes of the analysis when the changes before it have taken effect.
    using MakePatch = std::function<std::expected<AnalysisPatch, WorkError>(const AnalysisRun&)>;
    Pending<Changed> make_change(analysis::AnalysisId id, MakePatch make);
    // Forgets the analysis. REQUIRES: it is no member of a graph.
    void erase(AnalysisRun& run);
    // Removes it from the store; it stays in the queue until erase().
    Pending<AnalysisRun*> remove(analysis::AnalysisId id);
    // A directive as it would be given now. `line` leads to where it applies from the root, or
    // from `back` plies of the game before it; with an action that can be about a move, its last
    // move is that one. `action` and `text` as make_action() has them. Notes of one position never
    // have the same moment.
    struct CheckedDirective {
        AnalysisRun* run;
        chess::Position position; // where it applies
        Directive directive;
    };
    std::expected<CheckedDirective, WorkError>
    directive(analysis::AnalysisId id, const std::vector<chess::Move>& line,
              const std::string& action, const std::string& text, std::size_t back = 0) const;
    // Gives it, unless `futile` returns why it could have no effect. The result has its number, 0
    // where the analysis is transient.
    using Futile = std::function<std::optional<WorkError>(AnalysisRun&, const Directive&)>;
    Pending<CheckedDirective> give(analysis::AnalysisId id, std::vector<chess::Move> line,
                                   std::string action, std::string text, std::size_t back = 0,
                                   Futile futile = {});
    // The game went on from the root by these moves; before that, so many of its last ones since
    // the analysis was made are taken back. The run stands where it did until follow_game().
    Pending<CheckedDirective> advance(analysis::AnalysisId id, std::size_t back,
                                      std::vector<chess::Move> moves);

    // A link to the analysis, and the end of the one of this number.
    Pending<CheckedDirective> share(analysis::AnalysisId id, Share link);
    Pending<CheckedDirective> revoke(analysis::AnalysisId id, std::int64_t link);
    // What is to be verified at the end of a line from the root; and that this has ended, if it is
    // still to be done.
    Pending<CheckedDirective> verify(analysis::AnalysisId id, std::vector<chess::Move> line,
                                     Verify work);
    Pending<CheckedDirective> verified(analysis::AnalysisId id, analysis::UnixMs given);

    // Returns when all these changes are durable. Blocks for the disk.
    void wait() { writes_.wait(); }

    // Versions of a file of the analysis; the row of the first one.
    Pending<std::int64_t> keep(analysis::AnalysisId id, storage::FileChange change);

    // ---- what the work changes; durable some time later ----
    void save(AnalysisRun& run);
    // Kept with the analysis, and stored unless it is transient.
    void record(AnalysisRun& run, NotedSnapshot snapshot);
    // Tries again to store what record() could not; reports to `health` if that fails. Call it now
    // and then.
    void record_again();
    // Failures of this engine are forgotten.
    void clear_failures(analysis::EngineId engine) {
        store_.clear_failures(engine, [](const auto&) {});
    }
    // After a write that failed. True: the store works, and has refused this one write for its
    // contents. False: `health` knows of the failure.
    bool store_works();

private:
    static void add(Contents& all, const storage::Store& store, storage::AnalysisRecord record);
    void take(AnalysisRun& run, std::vector<Directive> directives);
    AnalysisRun& add(StoredAnalysis read, const std::vector<analysis::EvaluationId>& asked);
    void sort();
    WorkError store_error(const std::string& problem);
    // `line` leads from AnalysisRun::made_at to where the action applies.
    std::expected<CheckedDirective, WorkError>
    checked(AnalysisRun& run, std::vector<chess::Move> line, Action action) const;
    // Appends what `make` makes when those before it have taken effect.
    Pending<CheckedDirective>
    append(analysis::AnalysisId id,
           std::function<std::expected<CheckedDirective, WorkError>()> make);
    // One write: `begin` hands it to the store, or returns the result if there is nothing to write;
    // `took` gets the row's number (0: it was not inserted) and makes the change take effect.
    template <class Value>
    Pending<Value> durable(
        std::function<std::optional<typename Pending<Value>::Result>(const storage::Done&)> begin,
        std::function<typename Pending<Value>::Result(std::int64_t)> took);
    struct Record {
        storage::AnalysisRecord record;
        AnalysisSpec spec;
    };
    static Record patched(const AnalysisRun& run, const AnalysisPatch& patch);

    // Snapshots that could not be stored; filled by the store's thread.
    struct Refused {
        std::mutex mutex;
        std::vector<storage::SnapshotRecord> snapshots;
    };
    void store_snapshot(const storage::SnapshotRecord& snapshot);

    storage::Store& store_;
    Health& health_;
    Clock clock_;
    std::shared_ptr<Moments> moments_;
    std::vector<std::unique_ptr<AnalysisRun>> runs_;
    // The analysis whose change is being written: save() of it waits until that is done.
    std::optional<analysis::AnalysisId> changing_;
    bool save_after_ = false;
    OrderedWrites writes_;
    std::shared_ptr<Refused> refused_ = std::make_shared<Refused>();
    std::int64_t last_transient_ = 0; // ids of transient analyses count down from −1
};

} // namespace adjourn::server
