// Core: the scheduler and the owner of all graphs. Every answer goes one way:
//   engine → store → graph → observer (recorder.hpp, graph_slot.hpp, observer.hpp),
// so that nothing is shown that is not durable. One thread (the io_context given) runs everything
// here, in short tasks: what takes long is read elsewhere, or done in slices. Only the rare calls
// by people wait for the disk.
#pragma once

#include "analysis/foresight.hpp"
#include "graphs/analysis_run.hpp"
#include "storage/store_health.hpp"
#include "tables/endgame_tables.hpp"
#include "work/death_log.hpp"
#include "work/guard.hpp"
#include "work/hold_watch.hpp"
#include "work/observer.hpp"
#include "work/recorder.hpp"
#include "work/work_error.hpp"
#include "work/workers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::server {

// Levels are counted up to this one where an analysis names no last one.
inline constexpr int deepest_refine = 200;

// One engine profile at work.
struct EngineSlot {
    engine_bridge::Profile profile;
    std::unique_ptr<Workers> workers;
    std::optional<engine_bridge::Identity> identity;
    analysis::EngineId id{};
    GraphSlot* slot = nullptr; // one that is of this engine alone
    std::string problem;       // why there is no identity, or what last went wrong
    DeathLog deaths;
    bool changed = true;
    std::size_t urgent_out = 0;   // questions out that a person waits for
    std::map<int, double> rounds; // by priority: how far the turns are
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
};

struct CoreOptions {
    std::vector<engine_bridge::Profile> engines;
    std::function<analysis::UnixMs()> clock;        // wall clock
    std::shared_ptr<Observer> observer;             // may be null
    std::shared_ptr<const analysis::Tables> tables; // what they cover is exact; may be null
    tables::Inventory inventory;                    // for people
    std::filesystem::path staging;                  // may be empty: no stores are merged
    // Runs a task on a thread of its own, one after the other, in this order. Empty: tasks run at
    // once on the core's thread, and nothing is done in slices.
    std::function<void(std::function<void()>)> elsewhere;
    std::size_t facts_at_once = 20'000; // that are read again after an import
    // A graph of a store with no more facts is read at once, also with `elsewhere`.
    std::size_t facts_in_passing = 10'000;
    storage::StoreHealth::Rules store_rules;
    bool graphs_at_once = false; // of the engines, of all facts, also where no analysis needs one
    std::size_t reproducible_window = 16; // questions out per analysis in reproducible mode
    bool ticking =
        true; // looks after them by itself, a few times a second; else somebody else does
};

// Moves that people and games brought in.
using SeedMoves = std::vector<std::pair<chess::Position, chess::Move>>;

class Core {
public:
    // Reads the analyses, and begins to read the graphs they need; throws storage::StoreError.
    Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
         const WorkersFactory& workers);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    void start();
    // Stops the engines; `stopped` is called when nothing is out any more and all is durable.
    void stop(std::function<void()> stopped);

    // ---- changes by people; durable on return ----
    std::expected<analysis::AnalysisId, WorkError> create(NewAnalysis wanted);
    std::expected<void, WorkError> change(analysis::AnalysisId id, const AnalysisPatch& patch);
    std::expected<void, WorkError> remove(analysis::AnalysisId id);
    // For a transient analysis whose root nobody has said anything about yet: searches of the root
    // that run are stopped, and what they had found goes to `told`. Nothing more is asked.
    void hurry(analysis::AnalysisId id);
    // `line` leads from the root to where the directive applies; include, exclude and clear act on
    // its last move.
    std::expected<std::int64_t, WorkError> direct(analysis::AnalysisId id,
                                                  const std::vector<chess::Move>& line,
                                                  const std::string& action,
                                                  const std::string& text);

    // What an import has written.
    struct Import {
        std::optional<analysis::AnalysisId> seeded;
        std::set<analysis::EngineId> engines; // that got facts
        bool store = false;                   // of a whole store: analyses and directives too
    };
    // To be called once it is durable: it takes effect on the core's thread, before any later call.
    // Any thread, also when the core is gone; returns at once.
    using Imported = std::function<void(const Import&)>;
    Imported when_imported();
    // Where whoever may write the data directory puts stores to be merged.
    const std::filesystem::path& staging() const { return options_.staging; }

    // ---- looking ----
    const std::vector<std::unique_ptr<AnalysisRun>>& runs() const { return runs_; } // queue order
    const AnalysisRun* find(analysis::AnalysisId id) const;
    const std::vector<std::unique_ptr<EngineSlot>>& engines() const { return engines_; }
    const EngineSlot* engine_of(const AnalysisRun& run) const;
    storage::Store& store() const { return store_; }
    const std::shared_ptr<const analysis::Tables>& tables() const { return options_.tables; }
    const tables::Inventory& inventory() const { return options_.inventory; }
    analysis::UnixMs now() const { return options_.clock(); }
    std::chrono::steady_clock::time_point started() const { return started_; }
    // Who asked for a job that is out, and about which line.
    struct JobInfo {
        analysis::AnalysisId analysis{};
        std::vector<chess::Move> line;
        Asked asked;
    };
    const JobInfo* job(engine_bridge::JobId id) const;
    // Expanded positions at and below the root, as far as they are counted yet: large trees that
    // are new to the analysis take a while.
    std::size_t expanded_positions(const AnalysisRun& run) const;
    // Seconds until its last level is settled, if each further level costs as much more than the
    // one before as the cheapest, and the dearest, of the latest ones did, and as much else is at
    // work as now. Nothing before three levels are settled, and without a last one.
    struct Remaining {
        double least = 0;
        double most = 0;
    };
    std::optional<Remaining> remaining(const AnalysisRun& run) const;
    // By the graph of the engine alone that has the most pairs: analyses of different limits have
    // graphs of their own.
    std::optional<analysis::Noise> noise_of(const EngineSlot& engine) const;

    // Looks after windows, budgets, unanswered questions and the observer; what the clock drives.
    void look_after();

    // Calls back once no graph is being read, at once if none is.
    void when_read(std::function<void()> call);
    // What has held this thread, and how long.
    HoldWatch& watch() const { return watch_; }

    // From now on only this analysis is worked on (for `adjourn analyse`).
    void work_only_on(analysis::AnalysisId id) { only_ = id; }

    // Why nothing can be stored at present, or soon; "" while all is well. Nothing is asked then;
    // what is known is shown. It goes on by itself when the cause has gone.
    const std::string& store_problem() const { return store_problem_; }
    // Why there are evaluations that cannot be read; "" if there are none. The analyses that need
    // them have failed, all others go on.
    const std::string& unreadable() const { return unreadable_; }
    // What of the store is not used since it is not sound: row and reason, the first hundred.
    const std::vector<std::string>& set_aside() const { return set_aside_; }

    // Runs a task of this thread under a guard. Trouble with the store is kept as the store's
    // problem; any other fails `run`, if one is given. Returns whether all went well.
    bool attempt(std::string_view place, const std::function<void()>& task,
                 AnalysisRun* run = nullptr);
    // The same of trouble that somebody else's guard has caught on this thread.
    void take(const Trouble& trouble, AnalysisRun* run = nullptr);

    // Called after every change of an analysis's state (for `adjourn analyse`; may be empty).
    std::function<void(const AnalysisRun&)> on_progress;
    // Called when an engine has told who it is, or why it can't be started (may be empty).
    std::function<void(const EngineSlot&)> on_engine;

private:
    struct Out {
        JobInfo info;
        EngineSlot* engine = nullptr;
        GraphSlot* slot = nullptr;
        std::uint64_t sequence = 0;
        bool urgent = false;
    };

    // core.cpp: life and people
    void load();
    void fail(AnalysisRun& run, const std::string& reason);
    void finish_stop();
    void add_run(storage::AnalysisRecord record, std::vector<std::string>& damage);
    void note(const std::vector<std::string>& damage);
    void attach(AnalysisRun& run);
    void detach(AnalysisRun& run);
    void rebuild_steering(AnalysisRun& run);
    void sort_runs();
    void restart_plan(AnalysisRun& run);
    AnalysisRun* lookup(analysis::AnalysisId id);
    void save(AnalysisRun& run);

    // core_loading.cpp: what is read elsewhere
    struct Loading {                               // a graph that is being read
        std::vector<analysis::Evaluation> arrived; // facts that came meanwhile
        std::set<analysis::EngineId> imported;     // got facts meanwhile
        std::set<analysis::AnalysisId> seeded;     // got seeds meanwhile
    };
    struct Read;
    void elsewhere(std::function<std::function<void()>()> read,
                   std::function<void(const std::string&)> failed, bool here = false);
    void in_slices(std::function<bool()> step);
    GraphKey key_of(const AnalysisRun& run) const;
    GraphSlot* graph_slot(const GraphKey& key);
    void read_wanted_soon();
    void read_wanted();
    bool reads_in_passing() const;
    void read_graph(const GraphKey& key);
    void graph_read(const GraphKey& key, Read& read);
    void graph_not_read(const GraphKey& key, const std::string& problem);
    void let_go_of_idle_graphs();
    void tell_readers();
    void join(AnalysisRun& run, GraphSlot& slot, std::optional<analysis::NodeId> root);
    void rebuild_seeds(AnalysisRun& run);
    void take_seeds(analysis::AnalysisId id, GraphSlot& slot,
                    std::shared_ptr<const SeedMoves> moves);
    void read_again(std::shared_ptr<GraphSlot> slot, analysis::EngineId engine,
                    analysis::EvaluationId after);
    void take_facts(const std::shared_ptr<GraphSlot>& slot, analysis::EngineId engine,
                    std::shared_ptr<const std::vector<analysis::Evaluation>> facts);

    // core_imports.cpp: what others bring
    void take_import(const Import& import);
    void take_analyses();
    bool rests_elsewhere(const AnalysisRun& run) const;
    void attach_again(AnalysisRun& run);
    void facts_arrived(GraphSlot& slot, const std::vector<analysis::NodeId>& changed);

    // core_answers.cpp: what comes back
    void on_identified(EngineSlot& engine, std::expected<engine_bridge::Identity, std::string> who);
    Recorder::Listener listener();
    void on_heard(engine_bridge::JobId job, engine_bridge::BestLine line);
    void on_died(EngineSlot& engine, std::size_t process, const std::string& reason);
    void on_ended(engine_bridge::JobId job, Recorder::Ending ending);
    void deliver(AnalysisRun& run, std::uint64_t sequence, const Asked& asked, Outcome outcome);
    void apply(GraphSlot& slot, AnalysisRun* run, const Asked& asked, const Outcome& outcome);

    // core_fill.cpp: what goes out; core_settle.cpp: when a depth is settled
    void schedule_fill();
    void fill_all();
    void fill(EngineSlot& engine);
    bool may_work(const AnalysisRun& run) const;
    bool replan(AnalysisRun& run);
    void take_stock();
    void settle(AnalysisRun& run, const analysis::Plan& plan, const Footing& footing);
    bool nothing_left(const AnalysisRun& run, const Footing& footing, int last) const;
    std::string failure_text(const AnalysisRun& run, const analysis::Task& task) const;
    void retry_unanswered();
    bool next_task(EngineSlot& engine, AnalysisRun& run, bool only_urgent = false);

    void submit(EngineSlot& engine, AnalysisRun& run, analysis::Task task);
    // Of the engine, whichever graph it was asked for.
    analysis::QuestionState question_state(const GraphSlot& slot, const Asked& asked) const;
    analysis::PlanRequest request_at(const AnalysisRun& run, int refine) const;
    analysis::Plan plan_at(const AnalysisRun& run, int refine) const;
    std::optional<std::uint64_t> nodes_left(const AnalysisRun& run) const;
    bool affords(const AnalysisRun& run, const analysis::Limit& limit) const;
    double due(const EngineSlot& engine, const AnalysisRun& run) const;
    void count_places(const EngineSlot& engine);
    // core_states.cpp, core_estimate.cpp: what people are told
    void refresh_state(AnalysisRun& run);
    storage::AnalysisState state_of(const AnalysisRun& run, std::string& reason) const;
    bool outranked(const AnalysisRun& run) const;
    double share(const AnalysisRun& run) const;
    bool exhausted(const AnalysisRun& run) const;
    // Why nothing of the analysis is asked at present, whatever it needs; "" if it may work.
    std::string why_idle(const AnalysisRun& run) const;
    // core_foresight.cpp
    std::vector<analysis::Opinion> opinions(const EngineSlot& engine, const GraphSlot& slot) const;
    bool looks_ahead(const EngineSlot& engine, const AnalysisRun& run) const;
    void look_ahead(EngineSlot& engine);
    void look_ahead(EngineSlot& engine, AnalysisRun& run);
    // core_directives.cpp
    // Why a directive at the end of `line` could have no effect; nothing if it can.
    std::optional<WorkError> futile(AnalysisRun& run, const std::vector<chess::Move>& line,
                                    const std::string& action);
    // Questions about the position that wait their turn go before the others.
    void hurry(const chess::Position& position, const AnalysisRun& run);

    void tick();
    void look_at_store();
    // core_changes.cpp
    void tell_changes();
    void tell_changes(AnalysisRun& run);

    storage::Store& store_;
    CoreOptions options_;
    boost::asio::steady_timer timer_;
    TaskScope scope_;
    std::shared_ptr<Recorder> recorder_; // also of workers that stop later than this
    std::vector<std::unique_ptr<EngineSlot>> engines_;
    // What is done in slices holds on to its slot.
    std::map<GraphKey, std::shared_ptr<GraphSlot>> slots_;
    std::map<GraphKey, Loading> loading_;
    std::vector<GraphKey> idle_;          // of slots_, those that no analysis needs, latest last
    std::vector<GraphKey> wanted_graphs_; // of them, those whose reading has not begun
    bool constructing_ = true;
    std::vector<std::function<void()>> when_read_;
    std::vector<std::unique_ptr<AnalysisRun>> runs_;
    std::unordered_map<engine_bridge::JobId, Out> out_;
    std::map<GraphSlot*, std::vector<analysis::NodeId>> changed_nodes_;
    engine_bridge::JobId next_job_ = 1;
    bool fill_scheduled_ = false;
    bool begun_ = false; // the engines have been started
    bool stopping_ = false;
    std::optional<analysis::AnalysisId> only_;
    storage::StoreHealth health_;
    std::string store_problem_; // as health_ has it
    std::string unreadable_;    // the first evaluations that could not be read
    std::vector<std::string> set_aside_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    mutable HoldWatch watch_;
    std::int64_t last_transient_ = 0; // ids of transient analyses count down from −1
    std::function<void()> stopped_;
    std::size_t workers_running_ = 0;
    // Set when nobody waits any more for what is being read.
    std::shared_ptr<std::atomic<bool>> leaving_ = std::make_shared<std::atomic<bool>>(false);
};

} // namespace adjourn::server
