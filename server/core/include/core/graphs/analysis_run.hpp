// AnalysisRun: one analysis as the core works on it. A record of state, changed by the core only.
#pragma once

#include "analysis/game_history.hpp"
#include "analysis/growth.hpp"
#include "core/graphs/asked_facts.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/records/analysis_spec.hpp"
#include "engine_bridge/job.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace adjourn::server {

// How a question ended, from the moment that it is durable.
struct Dropped {};  // cancelled, or no engine takes it now: it may be asked again
struct Unanswered { // all attempts failed
    std::string reason;
    int attempts = 0;
    analysis::UnixMs at = 0;
};

// What a settled level rests on. Levels with equal inputs are equal.
struct LevelInputs {
    std::size_t positions = 0;
    std::uint64_t digest = 0; // of these positions
    std::size_t evaluations = 0;
    std::vector<chess::Move> followed;

    friend bool operator==(const LevelInputs&, const LevelInputs&) = default;
};
struct Answered {
    analysis::Evaluation fact; // as it is stored
    // What the answer cost, and whether it is this answer that is stored: somebody may have
    // answered the question before.
    std::uint64_t nodes = 0;
    std::uint64_t engine_ms = 0;
    bool fresh = true;
};
using Outcome = std::variant<Answered, Unanswered, Dropped>;

// A question of an analysis whose answers take effect in turn (GraphKey::in_turn), until that of
// its answer has come.
struct Turn {
    enum class Place : std::uint8_t {
        unknown, // whether the store has the answer
        reading, // the store is asked
        missing, // the store has none; an engine is to be asked
        out      // an engine is asked, by this analysis or by another one
    };
    analysis::PlannedQuestion planned;
    analysis::Question question;
    Place place = Place::unknown;
    std::uint64_t reading = 0;           // which one, if it is read
    engine_bridge::JobId job = 0;        // if it is out
    std::optional<Outcome> outcome = {}; // takes effect once all before it have

    NodeQuestion asked() const { return {planned.node, planned.limit, planned.excluded}; }
};

// Why an analysis waits while its graph is read.
inline constexpr const char* reading_evaluations = "reading its evaluations";

struct AnalysisRun {
    AnalysisRun(storage::AnalysisRecord r, AnalysisSpec s, chess::Position from, chess::Position to)
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
    std::uint64_t game = 0; // NewAnalysis::game

    std::vector<Directive> directives;
    std::vector<storage::SnapshotRecord> snapshots;
    storage::UsageRecord usage; // of the answers that the graph has; the store's is never behind it
    AskedFacts asked;           // the evaluations that it asked for itself

    // ---- under the present engine fingerprint ----
    GraphSlot* slot = nullptr; // null until the engine is identified and its facts are read
    // The graph is there, but not all answers that are stored have taken effect in their turn.
    bool replaying = false;
    // The graph that people see; null while stored answers are still taking effect.
    const GraphSlot* shown() const { return replaying ? nullptr : slot; }
    // The key of the graph that is being read for it, if one is. Until then `slot` is the graph of
    // before: it is shown, but nothing is planned in it.
    std::optional<GraphKey> awaited;
    bool has_graph() const { return slot != nullptr && !awaited; }
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
    analysis::NodeId root_node{};
    analysis::Directives node_directives;
    analysis::Seeds seeds; // what people and games brought in, by position
    bool seeds_read = false;

    // ---- progress ----
    int refine = 1;  // the level that is worked on
    int settled = 0; // the last level that has settled, counted from 1 after each restart()
    // The deepest settled level of each tree that the analysis has had since the program started,
    // by its rules and excluded moves. It stays when levels are counted from 1 again.
    using Tree = std::pair<std::string, std::vector<analysis::ExcludedMove>>;
    std::map<Tree, int> reached;
    Tree tree;             // the present one
    bool finished = false; // nothing more to ask: refine reached, or the tree has an end
    bool spent = false;    // the rest of the budget is too small for the next question
    // When the present hours (AnalysisSpec::window) end, if a question is too long for their rest.
    std::optional<analysis::UnixMs> put_off;
    // Of the present tree, as far as the level that is worked on: the evaluations that it rests on,
    // and those of them that this analysis asked for itself.
    std::size_t evaluations_used = 0;
    std::size_t own_used = 0;
    bool recount = true;  // an answer came since they were counted
    bool counted = false; // the two are valid under the present rules
    // Of the last settled level: root moves that it followed (sorted), and how clear the answer is.
    std::vector<chess::Move> verified;
    analysis::Lead lead;
    std::string stopped;                     // why it ended before its last level; "" if it did not
    std::string failure;                     // which answer a level lacks, and why; "" if none
    std::optional<LevelInputs> level_inputs; // of the last settled level

    // ---- the plan ----
    std::deque<analysis::PlannedQuestion> ready;
    bool planned = false; // since the root, the rules or the engine changed
    // Another plan may ask for more: facts have changed, or all it asked for is out and processes
    // have nothing to do.
    bool stale = true;
    bool now_due = false; // a person's "now" may need a question that is in no plan yet
    std::size_t answers_since_plan = 0;
    std::size_t plan_size = 0; // positions the last walk visited

    // ---- what is out ----
    std::size_t in_flight = 0;
    std::uint64_t nodes_out = 0; // sum of their limits, where these are in nodes
    static std::uint64_t nodes_of(const analysis::Limit& limit) {
        return limit.kind == analysis::Limit::Kind::nodes ? limit.amount : 0;
    }
    void goes_out(const analysis::Limit& limit) {
        ++in_flight;
        nodes_out += nodes_of(limit);
    }
    void comes_back(const analysis::Limit& limit) {
        --in_flight;
        nodes_out -= nodes_of(limit);
    }
    std::uint64_t served = 0;       // jobs given
    analysis::UnixMs served_at = 0; // when the last one was
    double turn = 0;                // when the next one is due, see Scheduler::due
    std::size_t place = 1; // 1 + those at work with its engine and priority that were put ahead
    // The best line of the last search of the root when it ended or was stopped by Core::hurry,
    // before it is stored. Transient analyses only: a GUI may not have time to wait for the disk.
    std::optional<engine_bridge::BestLine> last_report;

    // ---- questions in turn (decision 105); none where the graph is shared ----
    std::deque<Turn> turns; // whose answers have not taken effect, in the order of the plan
    bool stepping = false;  // the answer to the first is about to take effect
    // Questions that there is too little time for: not asked until there is.
    std::unordered_set<NodeQuestion, NodeQuestionHash> put_aside;
    // Cost of the answers that have taken effect, whichever analysis asked.
    std::uint64_t nodes_in_turn = 0;
    std::uint64_t ms_in_turn = 0;
    bool in_turn() const { return slot != nullptr && slot->in_turn(); }
    // What counts against budgets, and is recorded with a level.
    std::uint64_t nodes_spent() const { return in_turn() ? nodes_in_turn : usage.nodes; }
    std::uint64_t ms_spent() const { return in_turn() ? ms_in_turn : usage.engine_ms; }
    void forget_turns();

    // ---- for observers ----
    bool changed = true; // an event is due

    // Stands where the game does by the directives; returns whether that is another root. It is to
    // leave its graph before, and to join one after.
    bool follow_game();
    std::vector<chess::Move> moves_before() const; // of the game: from `start` to the root
    // A line from `made_at` as one from the root; nullopt: it does not lead through the root.
    std::optional<std::vector<chess::Move>> from_root(const std::vector<chess::Move>& line) const;
    // The root's FEN as snapshots have it; "" where the game has not gone on.
    std::string moved_to() const { return played.empty() ? "" : root.fen(); }

    // Plans again from level 1: the graph, the rules or the directives have changed.
    void restart();
    // Clears `unreadable`: its facts can be read again, or are not needed.
    void readable_again();
};

// The line that alpha at the root is relative to: those of `repeated` that the graph knows, and the
// root. Precondition: the analysis has its graph.
std::vector<analysis::NodeId> line_to_root(const AnalysisRun& run);

// The deepest level that has settled, as people see it: also while levels are counted from 1 again.
int settled_level(const AnalysisRun& run);

// Whether a person has said "now" about any position, answered or not.
bool waits_for_now(const AnalysisRun& run);

} // namespace adjourn::server
