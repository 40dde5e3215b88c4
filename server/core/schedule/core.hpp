// Core: everything that the one thread owns which people's calls and engines' answers meet on.
// It composes
//   Queue      which analyses there are, and what people change of them
//   Graphs     what the store's facts say, in memory
//   Scheduler  whose turn it is, by a Planner; questions go out, outcomes come in
//   LongSearches  what is followed while it lasts: of the plan, beside a tree, on people's boards
//   Seats      positions of those who want a move in time
// and tells an Observer what has changed. Each of them can be had without the others' owner. All
// tasks are short: what takes long is read elsewhere, or done in slices (reads.hpp). None
// waits for the store or its disk: what people change takes effect when it is durable
// (pending.hpp), what only the store knows is read elsewhere (reads.hpp).
#pragma once

#include "analysis/graph.hpp"
#include "core/guards/guard.hpp"
#include "core/guards/reads.hpp"
#include "core/schedule/answer.hpp"
#include "core/schedule/long_searches.hpp"
#include "core/schedule/renewal.hpp"
#include "core/schedule/scheduler.hpp"
#include "core/schedule/seats.hpp"
#include "core/schedule/verifier.hpp"
#include "storage/store.hpp"
#include "tables/endgame_tables.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// Observer: told by the core what has changed, for whoever shows it.

class Core;
struct AnalysisRun;
struct EngineSlot;
struct BoardSearch;

// All is called on the core's thread and must not block; what is thrown is the core's trouble. What
// is given may be looked at until the call returns.
class Observer {
public:
    virtual ~Observer() = default;

    // A few times a second at most, of all that changed since the last time.
    virtual void analysis_changed(const Core& core, const AnalysisRun& run) = 0;
    // Positions of the analysis's graph whose value or moves changed; each once, ascending, never
    // none. The run has its graph.
    virtual void nodes_changed(const AnalysisRun& run,
                               const std::vector<analysis::NodeId>& nodes) = 0;
    // A few times a second at most; also when it has ended.
    virtual void board_search_changed(const Core& core, const BoardSearch& board) = 0;
    virtual void engine_changed(const Core& core, const EngineSlot& engine) = 0;
    // At once.
    virtual void analysis_removed(analysis::AnalysisId id) = 0;

protected:
    Observer() = default;
    Observer(const Observer&) = default;
    Observer& operator=(const Observer&) = default;
};

struct CoreOptions {
    std::vector<engine_bridge::Profile> engines;
    std::function<analysis::UnixMs()> clock; // wall clock
    // For how long something lasts: a clock that nobody sets. Only differences count.
    std::function<analysis::UnixMs()> steady = steady_ms;
    std::shared_ptr<Observer> observer;             // may be null
    std::shared_ptr<const analysis::Tables> tables; // what they cover is exact; may be null
    tables::Inventory inventory;                    // for people
    std::filesystem::path collections;              // directory of games to compare with
    // Runs a task on a thread of its own, one after the other, in this order. Empty: tasks run at
    // once on the core's thread, and nothing is done in slices.
    Background::Executor elsewhere;
    // The same, for what the core itself needs of the store: whether it is well, and numbers of
    // engines. Tasks hang as long as the store does.
    Background::Executor beside;
    // The same, on one of several threads, for reads that people wait for.
    Reads::Executor reads;
    engine_bridge::Dispatcher::Rules dispatch; // of leases and tries
    std::string machine; // the name of this one; "": who made an evaluation here is not noted
    std::size_t facts_at_once = 20'000; // that are read again after an import
    storage::StoreHealth::Rules store_rules;
    bool ticking =
        true; // looks after them by itself, a few times a second; else somebody else does
};

class Core {
public:
    // Reads the analyses, and begins to read the graphs they need; throws storage::StoreError.
    Core(boost::asio::io_context& context, storage::Store& store, CoreOptions options,
         engine_bridge::ProcessesFactory processes);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    void start();
    // Stops the engines; `stopped` is called when nothing is out any more and all is durable.
    void stop(std::function<void()> stopped);

    // Others in the place of those there are: who is the same goes on undisturbed; who is not there
    // any more, or another of the same name, is stopped, and what it was asked is asked again.
    // Analyses stay with the name. REQUIRES: started, not stopped; profiles are not empty.
    void set_engines(const std::vector<engine_bridge::Profile>& profiles);

    // ---- changes by people: each is durable, and sees those before it, when it takes effect ----
    Pending<analysis::AnalysisId> create(NewAnalysis wanted);
    Pending<analysis::AnalysisId> change(analysis::AnalysisId id, AnalysisPatch patch);
    Pending<analysis::AnalysisId> remove(analysis::AnalysisId id);
    // For a transient analysis whose root nobody has said anything about yet: searches of the root
    // that run are stopped, and what they had found goes to `told`. Nothing more is asked.
    void hurry(analysis::AnalysisId id);
    // `line` leads to where the order applies from the root, or from `back` plies of the game
    // before it; one that can be about a move acts on its last one. `action` and `text` as
    // make_action() has them.
    struct Given {
        std::int64_t id = 0;     // 0 of a transient analysis
        analysis::UnixMs at = 0; // what a retraction names it by
    };
    Pending<Given> direct(analysis::AnalysisId id, std::vector<chess::Move> line,
                          std::string action, std::string text, std::size_t back = 0);
    // The same order for many lines, which are planned for together. A line that could have no
    // effect has its reason as result.
    using AllGiven = std::vector<Pending<Given>::Result>;
    Pending<AllGiven> direct_all(analysis::AnalysisId id,
                                 const std::vector<std::vector<chess::Move>>& lines,
                                 const std::string& action);

    // Versions of a file of the analysis (files/kept/kept_file.hpp); the row of the first one.
    Pending<std::int64_t> keep(analysis::AnalysisId id, storage::FileChange change) {
        return queue_.keep(id, std::move(change));
    }
    // More work for it: Planner::extended(). One that is paused stays so.
    Pending<analysis::AnalysisId> extend(analysis::AnalysisId id, Extension more);
    // It goes on with the engine of that name (Renewer), until a moment or without a budget.
    Pending<analysis::AnalysisId> renew(analysis::AnalysisId id, const std::string& engine,
                                        std::optional<analysis::UnixMs> until);
    // The game went on (Queue::advance): the tree is that of the position where it stands now.
    Pending<analysis::AnalysisId> advance(analysis::AnalysisId id, std::size_t back,
                                          std::vector<chess::Move> moves);

    // A link to the analysis (Share): it holds when it is durable. And the end of one, by its id.
    Pending<Given> share(analysis::AnalysisId id, Share link);
    Pending<analysis::AnalysisId> revoke(analysis::AnalysisId id, std::int64_t link);

    // Work for what carries the answer at the end of a line: verifier.hpp.
    Pending<Given> verify(analysis::AnalysisId id, std::vector<chess::Move> line,
                          const Verify& work);
    const Verifier& verifier() const { return verifier_; }
    // How sure the answers of an analysis are.
    Surety surety_of(const AnalysisRun& run) const { return calibrator_.of(run); }

    // What people want searched on their boards takes effect at once.
    LongSearches& long_searches() { return long_searches_; }
    const LongSearches& long_searches() const { return long_searches_; }
    // So does what seats look at.
    Seats& seats() { return seats_; }

    // What an import has written.
    struct Import {
        std::optional<analysis::AnalysisId> seeded;
        std::set<analysis::EngineId> engines; // that got facts
    };
    // To be called once it is durable: it takes effect on the core's thread, before any later call.
    // Any thread, also when the core is gone; reads the store.
    using Imported = std::function<void(const Import&)>;
    Imported when_imported();

    // Where collections of games are.
    const std::filesystem::path& collections() const { return options_.collections; }

    // ---- looking ----
    const Queue& queue() const { return queue_; }
    const Engines& engines() const { return engines_; }
    const Graphs& graphs() const { return graphs_; }
    const Planner& planner() const { return planner_; }
    const Scheduler& scheduler() const { return scheduler_; }
    const Health& health() const { return health_; }
    // For reads() and other threads; on this one only what does not block.
    storage::Store& store() const { return store_; }
    // What people ask for that only the store knows.
    Reads& reads() const { return reads_; }
    const std::shared_ptr<const analysis::Tables>& tables() const { return options_.tables; }
    const tables::Inventory& inventory() const { return options_.inventory; }
    analysis::UnixMs now() const { return options_.clock(); }
    // For "what changed since": as Moments has it.
    analysis::UnixMs complete() const { return queue_.moments()->complete(); }
    analysis::UnixMs steady() const { return options_.steady(); }
    std::chrono::steady_clock::time_point started() const { return started_; }

    // Looks after windows, budgets, unanswered questions and the observer; what the clock drives.
    void look_after();

    // Its tree, or that of any, is being read. The waiters are woken when it is there.
    bool tree_comes(std::optional<analysis::AnalysisId> of) const;
    // The graph of all that the engine has said: soon somebody needs it.
    void want_graph(analysis::EngineId engine) { graphs_.want({engine}); }
    // Calls back once no graph is being read, at once if none is.
    void when_read(std::function<void()> call) { graphs_.when_read(std::move(call)); }
    // The links that hold, by their secrets.
    struct Shown {
        analysis::AnalysisId analysis{};
        std::int64_t file = 0; // Share::file
        friend bool operator==(const Shown&, const Shown&) = default;
    };
    using Links = std::map<std::string, Shown>;
    Links links() const;

    // What has held this thread, and how long.
    HoldWatch& watch() const { return health_.watch(); }

    // From now on only this analysis is worked on.
    void work_only_on(analysis::AnalysisId id) { scheduler_.work_only_on(id); }

    // Those who wait for something of the store or its disk: woken when it is found silent, and
    // when the core is to stop.
    Waiters& waiters() const { return waiters_; }

    // A person knows of what is unreadable, missing or damaged: it is no problem any more, and what
    // is there is worked with, until the next start or until more is found.
    void acknowledge();

    // For other threads, to come back here.
    base::TaskScope::Poster poster() const { return scope_.poster(); }

    // Runs a task of this thread under a guard. Trouble with the store is kept as the store's
    // problem; any other fails `run`, if one is given. Returns whether all went well.
    bool attempt(std::string_view place, const std::function<void()>& task,
                 AnalysisRun* run = nullptr);
    // The same of trouble that somebody else's guard has caught on this thread.
    void take(const Trouble& trouble, AnalysisRun* run = nullptr);

    // Called after every change of an analysis's state (may be empty).
    std::function<void(const AnalysisRun&)> on_progress;
    // Called when other links hold than before (may be empty).
    std::function<void(const Links&)> on_links;

private:
    Graphs::Listener graphs_listener();
    Scheduler::Options scheduler_options();
    LongSearches::Parts long_searches_parts();
    void on_graph(const GraphKey& key, const GraphSlot* graph, const std::string& problem);
    void came_back();
    void finish_stop();
    void tick();
    void look_at_store();
    void look_at_damage(const std::string& damage);
    void read_analyses();

    void take_analyses(Queue::Contents contents);
    void take_import(const Import& import, Queue::Contents contents);
    std::vector<AnalysisRun*> take_contents(Queue::Contents contents);
    void leave_graph(AnalysisRun& run);
    void forget(AnalysisRun& run);
    void look_again(AnalysisRun& run);
    void plan_anew(AnalysisRun& run);
    void change_graph(AnalysisRun& run);
    analysis::AnalysisId take_change(Queue::Changed changed, bool goes_on);
    // Whether the game went on by its directives; then the analysis stands where the game does.
    bool follow_game(AnalysisRun& run);
    // What its plan is made of has changed.
    void begin_again(AnalysisRun& run);
    void tell_links();

    using Who = std::expected<engine_bridge::Identity, std::string>;
    void add_engine(const engine_bridge::Profile& profile);
    void send_away(const std::shared_ptr<EngineSlot>& engine);
    void tell_sent_away(EngineSlot& engine);
    bool is_stopping(const EngineSlot& engine) const;
    void on_identified(EngineSlot& engine, const Who& who);
    void known_as(EngineSlot& engine, const Who& who, std::optional<analysis::EngineId> id);
    void on_died(EngineSlot& engine, std::size_t process, const std::string& reason);

    void note_changed(const GraphSlot& slot, const std::vector<analysis::NodeId>& nodes);
    void tell_changes();
    void tell_nodes(const AnalysisRun& run);

    storage::Store& store_;
    CoreOptions options_;
    engine_bridge::ProcessesFactory make_processes_;
    boost::asio::steady_timer timer_;
    base::TaskScope scope_;
    mutable Health health_;
    Background background_;
    Background beside_;
    mutable Reads reads_;
    mutable Waiters waiters_;
    Engines engines_;
    Queue queue_;
    Graphs graphs_;
    Planner planner_;
    Recorder recorder_;
    Scheduler scheduler_;
    Verifier verifier_;
    Renewer renewer_;
    Calibrator calibrator_;
    LongSearches long_searches_;
    Seats seats_;
    std::map<const GraphSlot*, std::vector<analysis::NodeId>> changed_nodes_;
    std::size_t told_ = 0; // analyses: the next one whose change is told
    Links told_links_;
    bool analyses_due_ = false; // to be read again when the store can be used
    bool stopping_ = false;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::function<void()> stopped_;
    bool started_engines_ = false;
    std::vector<std::shared_ptr<EngineSlot>> stopping_engines_; // until their processes are gone
};

} // namespace adjourn::server
