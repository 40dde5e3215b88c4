// AnalysisRun: one analysis as the core works on it. A record of state, changed by the core only.
#pragma once

#include "analysis/game_history.hpp"
#include "analysis/growth.hpp"
#include "core/graphs/analysis_out.hpp"
#include "core/graphs/analysis_plan.hpp"
#include "core/graphs/asked_facts.hpp"
#include "core/graphs/graph_slot.hpp"
#include "core/records/analysis_spec.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

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
    // Of the answers that the graph has, and of what was paid while searches lasted (Bill).
    storage::UsageRecord usage;
    void pay(const storage::Cost& cost);
    void take_back(const storage::Cost& cost); // it could not be stored
    AskedFacts asked;                          // the evaluations that it asked for itself

    // ---- under the present engine fingerprint ----
    GraphSlot* slot = nullptr; // null until the engine is identified and its facts are read
    const GraphSlot* shown() const { return slot; } // what people see
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
    analysis::NodeId root_node{};
    analysis::Directives node_directives;
    analysis::Seeds seeds; // what people and games brought in, by position
    bool seeds_read = false;

    AnalysisPlan plan; // how far it is, and what is missing: Planner's
    AnalysisOut out;   // what is asked, and when the next turn is: Scheduler's
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
