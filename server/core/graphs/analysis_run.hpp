// AnalysisRun: one analysis as the core works on it. A record of state, changed by the core only.
// RunView: what of it views need, to be copied for readers on other threads.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/records.hpp"
#include "analysis/root_answer.hpp"
#include "core/graphs/graph_lock.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/stored_analysis.hpp"
#include "engine_bridge/process/job.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// AskedFacts: which evaluations an analysis asked for. A set of row numbers, 11 to 22 bytes each.
class AskedFacts {
public:
    // Adding one twice is adding it once. 0 is no row.
    void insert(analysis::EvaluationId fact);
    bool contains(analysis::EvaluationId fact) const;
    std::size_t size() const { return size_; }

private:
    // Many small tables, so that growing one of them holds nobody up.
    static constexpr std::size_t shards = 256;
    struct Shard {
        std::vector<std::uint64_t> places; // a power of two; 0 is free
        std::size_t used = 0;
    };

    static void put(Shard& shard, std::uint64_t key, std::uint64_t hash);

    std::array<Shard, shards> shards_;
    std::size_t size_ = 0;
};

struct AnalysisOut {
    std::size_t in_flight = 0;
    std::uint64_t nodes = 0; // sum of their limits, where these are in nodes
    static std::uint64_t nodes_of(const analysis::Limit& limit) {
        return limit.kind == analysis::Limit::Kind::nodes ? limit.amount : 0;
    }
    void goes_out(const analysis::Limit& limit) {
        ++in_flight;
        nodes += nodes_of(limit);
    }
    void comes_back(const analysis::Limit& limit) {
        --in_flight;
        nodes -= nodes_of(limit);
    }
    // Of what is out, so much is in the usage already (Bill).
    storage::Cost paid;
    void forget_paid(const storage::Cost& parts) {
        paid.nodes -= std::min(paid.nodes, parts.nodes);
        paid.engine_ms -= std::min(paid.engine_ms, parts.engine_ms);
    }
    std::uint64_t nodes_to_pay() const { return nodes - std::min(nodes, paid.nodes); }
    std::uint64_t served = 0;       // jobs given
    analysis::UnixMs served_at = 0; // when the last one was, by the steady clock
    double turn = 0;                // when the next one is due, see Scheduler::due
    std::size_t place = 1; // 1 + those at work with its engine and priority that were put ahead
    bool spent = false;    // the rest of the budget is too small for the next question
    // When the present hours (AnalysisSpec::window) end, if a question is too long for their rest.
    std::optional<analysis::UnixMs> put_off;
    // The best line of the last search of the root when it ended or was stopped by Core::hurry,
    // before it is stored. Transient analyses only: a GUI may not have time to wait for the disk.
    std::optional<engine_bridge::BestLine> last_report;
    // What the standing search has cost, and is not paid yet. Written by LongSearches; nothing:
    // there is none.
    std::optional<storage::Cost> long_search;
};

// AnalysisPlan: how far the tree of an analysis is, and what is still missing. Written by Planner;
// others tell it by its methods what has happened, and take the questions. On the core's thread.

// What a settled level rests on. Levels with equal inputs are equal.
struct LevelInputs {
    std::size_t positions = 0;
    std::uint64_t digest = 0; // of these positions
    std::size_t evaluations = 0;
    std::vector<chess::Move> followed;

    friend bool operator==(const LevelInputs&, const LevelInputs&) = default;
};

struct AnalysisPlan {
    // ---- levels ----
    int refine = 1;  // the level that is worked on
    int settled = 0; // the last level that has settled, counted from 1 after each restart()
    // The deepest settled level of each tree that the analysis has had since the program started,
    // by its rules and excluded moves. It stays when levels are counted from 1 again.
    using Tree = std::pair<std::string, std::vector<analysis::ExcludedMove>>;
    std::map<Tree, int> reached;
    Tree tree;             // the present one
    bool finished = false; // nothing more to ask: refine reached, or the tree has an end
    // Of the present tree, as far as the level that is worked on: the evaluations that it rests on,
    // and those of them that this analysis asked for itself.
    std::size_t evaluations_used = 0;
    std::size_t own_used = 0;
    double nodes_used = 0; // behind them: Snapshot::nodes
    bool recount = true;   // an answer of its own came since they were counted
    bool counted = false;  // the two are valid under the present rules
    // Of the last settled level: root moves that it followed (sorted), and how clear the answer is.
    std::vector<chess::Move> verified;
    analysis::Lead lead;
    std::string stopped;                     // why it ended before its last level; "" if it did not
    std::string failure;                     // which answer a level lacks, and why; "" if none
    std::optional<LevelInputs> level_inputs; // of the last settled level

    // ---- questions ----
    std::deque<analysis::PlannedQuestion> ready;
    // The court, where it is for the process of the standing search: LongSearches asks it.
    std::optional<analysis::PlannedQuestion> court;
    bool planned = false; // since the root, the rules or the engine changed
    // Another plan may ask for more: facts have changed, or all it asked for is out and processes
    // have nothing to do.
    bool stale = true;
    bool now_due = false; // a person's "now" may need a question that is in no plan yet
    std::size_t answers_since_plan = 0;
    std::size_t size = 0; // positions the last walk visited

    // ---- what others tell ----
    // The graph has new facts: facts shared with others may have moved the end, too.
    void facts_came();
    // An answer is not awaited any more, or a person has said "go on": it may not have ended.
    void try_again();
    // What is missing is found when somebody may ask again.
    void drop_questions() {
        ready.clear();
        stale = true;
    }
    analysis::PlannedQuestion take() {
        analysis::PlannedQuestion first = std::move(ready.front());
        ready.pop_front();
        return first;
    }
    // Enough has changed for another walk.
    bool due() const {
        return now_due || (stale && (ready.empty() || answers_since_plan > size / 100));
    }
    // The same where nothing is asked. What others ask in the same graph, of which most is not this
    // tree's, counts when no more is `out`.
    bool unseen(bool out) const { return recount || !planned || (!out && answers_since_plan > 0); }
    // Levels are counted from 1 again: `now` is the tree, of which `recorded` levels are on record.
    void restart(Tree now, int recorded, bool waits_for_now);
};

// Why an analysis waits while its graph is read.
inline constexpr const char* reading_evaluations = "reading its evaluations";

inline std::shared_ptr<const analysis::Seeds> no_seeds() {
    static const auto none = std::make_shared<const analysis::Seeds>();
    return none;
}

struct RunView {
    RunView(storage::AnalysisRecord r, AnalysisSpec s, chess::Position from, chess::Position to)
        : record{std::move(r)}, spec{std::move(s)}, start{from}, root{to}, made_at{to},
          repeated{analysis::repeated_before(start, record.root_moves)} {}

    storage::AnalysisRecord record;
    AnalysisSpec spec;
    chess::Position start; // where root_moves begin
    chess::Position root;  // where the game stands now
    // Where root_moves end, and how the game went on from there (Advance).
    chess::Position made_at;
    std::vector<chess::Move> played;
    // Of the game that leads to the root, what occurred twice: a move there is a draw.
    std::vector<chess::Position> repeated;
    bool transient = false; // never stored; its id is negative
    std::vector<Directive> directives;

    // ---- under the present engine fingerprint ----
    GraphSlot* slot = nullptr; // null until the engine is identified and its facts are read
    const GraphSlot* shown() const { return slot; } // what people see
    analysis::NodeId root_node{};
    analysis::Directives node_directives;
    // What people and games brought in, by position; never null.
    std::shared_ptr<const analysis::Seeds> seeds = no_seeds();
    AnalysisPlan plan; // how far it is, and what is missing: Planner's

    std::vector<chess::Move> moves_before() const; // of the game: from `start` to the root
    // A line from `made_at` as one from the root; nullopt: it does not lead through the root.
    std::optional<std::vector<chess::Move>> from_root(const std::vector<chess::Move>& line) const;
    // The same of one from where the game had stood after these moves.
    std::optional<std::vector<chess::Move>> from_root(std::vector<chess::Move> before,
                                                      const std::vector<chess::Move>& line) const {
        before.insert(before.end(), line.begin(), line.end());
        return from_root(before);
    }
    // The root's FEN as snapshots have it; "" where the game has not gone on.
    std::string moved_to() const { return played.empty() ? "" : root.fen(); }
};

struct AnalysisRun : RunView {
    using RunView::RunView;

    std::uint64_t game = 0; // NewAnalysis::game
    // At the dispatcher, of the process that is reserved for its root; none: any process.
    std::optional<std::size_t> place;
    std::vector<NotedSnapshot> snapshots;
    // Since the last one, of the present tree: Calibrator's. Without a move: there is no answer.
    std::optional<ToldAnswer> said;
    // Of the answers that the graph has, and of what was paid while searches lasted (Bill).
    storage::UsageRecord usage;
    void pay(const storage::Cost& cost);
    void take_back(const storage::Cost& cost); // it could not be stored
    AskedFacts asked;                          // the evaluations that it asked for itself

    // The key of the graph that is being read for it, if one is. Until then `slot` is the graph of
    // before: it is shown, but nothing is planned in it.
    std::optional<GraphKey> awaited;
    bool has_graph() const { return slot != nullptr && !awaited; }
    // What is counted of it is not known yet.
    bool reading() const { return awaited || (slot != nullptr && !seeds_read); }
    // Grows with each change of what is shown, also from one graph to the next. 0: nothing is
    // shown.
    std::uint64_t version() const {
        return shown() == nullptr ? 0 : versions_before + slot->version();
    }
    std::uint64_t versions_before = 0; // of the graphs that it had
    bool unreadable = false;           // it has no graph, since the facts cannot be read
    // Why not all of its directives can be read; "" if all can. Where it is set the analysis has
    // failed until a person resumes it. Not stored: found again at each start.
    std::string lost;
    bool seeds_read = false;
    // What carries its answers is asked of its new engine, and nothing else but what people wait
    // for: Renewer's.
    bool confirming = false;
    // The last level that the second engine was asked about, and its name; and that its questions
    // are being found. Set by Planner, and `second_due` taken back by Renewer.
    std::optional<std::pair<std::string, LevelInputs>> second_asked;
    bool second_due = false;

    AnalysisOut out; // what is asked, and when the next turn is: Scheduler's
    // What counts against budgets, and is recorded with a level.
    std::uint64_t nodes() const {
        return usage.nodes + (out.long_search ? out.long_search->nodes : 0);
    }
    std::uint64_t engine_ms() const {
        return usage.engine_ms + (out.long_search ? out.long_search->engine_ms : 0);
    }
    // Of searches that have ended.
    std::uint64_t ms_of_answers() const {
        return usage.engine_ms - std::min(usage.engine_ms, out.paid.engine_ms);
    }

    // ---- for observers ----
    bool changed = true; // an event is due

    // Stands where the game does by the directives; returns whether that is another root. It is to
    // leave its graph before, and to join one after.
    bool follow_game();
    // Plans again from level 1: the graph, the rules or the directives have changed.
    void restart();
    // Clears `unreadable`: its facts can be read again, or are not needed.
    void readable_again();
};

// The line that alpha at the root is relative to: those of `repeated` that the graph knows, and the
// root. Precondition: the analysis has its graph.
std::vector<analysis::NodeId> line_to_root(const RunView& run);
// What decides between the moves of the root, which is to be told wherever they are listed. Null:
// there is nothing yet, or the strategy has no court. Valid until the graph changes.
const analysis::JointSearch* court_of(const RunView& run);
// The same at a node; null elsewhere than at the root.
inline const analysis::JointSearch* court_at(const RunView& run,
                                             std::optional<analysis::NodeId> node) {
    return run.slot != nullptr && node == run.root_node ? court_of(run) : nullptr;
}

// The deepest level that has settled, as people see it: also while levels are counted from 1 again.
int settled_level(const RunView& run);

// Whether a person has said "now" about any position, answered or not.
bool waits_for_now(const AnalysisRun& run);

// The run has its graph. `positions`: expanded ones.
Snapshot take_snapshot(const AnalysisRun& run, std::size_t positions);
// The deepest level that was recorded of this root under the present limit and strategy; 0 if none
// was. Never deeper than the strategy is meant to go.
int recorded_level(const AnalysisRun& run);

// RunReader: an analysis as it was when somebody asked, with its graph, to be read on another
// thread.
class RunReader {
public:
    // On the core's thread. `here`: it is read on this thread, too.
    RunReader(const AnalysisRun& run, bool here)
        : run_{run}, slot_{run.slot == nullptr ? nullptr : run.slot->weak_from_this().lock()},
          lock_{here || run.slot == nullptr ? nullptr : &run.slot->lock()} {}

    const RunView& run() const { return run_; }
    // Any thread; the graph may be looked at as long as the result lives.
    GraphReading read() const { return GraphReading{lock_}; }

private:
    RunView run_;
    std::shared_ptr<const GraphSlot> slot_; // the graph lives as long
    GraphLock* lock_;
};

} // namespace adjourn::server
