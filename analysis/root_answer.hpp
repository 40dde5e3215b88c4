// RootAnswer: which move to play, and by how much it leads.
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/graph.hpp"
#include "analysis/growth.hpp"
#include "analysis/records.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace adjourn::analysis {

struct RootAnswer {
    chess::Move move;
    std::size_t index = 0;            // in graph.moves(root)
    chess::Score alpha;               // with the root alone as history
    std::optional<chess::Score> next; // best of the other scored moves; nullopt: there is none
};

// The best move by alpha among the verified ones (sorted; those that the walk of the last settled
// level followed), or among all if none of them is scored. Of these, a move that has only its
// engine score is no answer while another has been searched below (or is known exactly, or
// decided): a search below mostly lowers a value, so the two cannot be compared. Equal values:
// as `move_order`, as in the PV. nullopt: the root has no scored move.
std::optional<RootAnswer> root_answer(const Graph& graph, NodeId root,
                                      std::span<const chess::Move> verified);
// The same with a line that ends at the root as history.
std::optional<RootAnswer> root_answer(const Graph& graph, std::span<const NodeId> line,
                                      std::span<const chess::Move> verified);

// StopRules: when an analysis may end before its last level, looked at whenever a level settles.

struct StopRules {
    bool proven = true; // the answer is proven to win, or the root to be lost (analysis/proof.hpp)
    double lead = 0;    // the answer is ahead by so many σ (where the noise is not known:
                        // reckoned_sigma()); 0 = never
    int levels = 2;     // … on so many settled levels in a row, ≥ 1

    friend bool operator==(const StopRules&, const StopRules&) = default;
};

enum class StopReason { proven, lead };

// How long the present answer has been clear of the rest.
struct Lead {
    std::optional<chess::Move> leader;
    int since = 0; // the settled level at which its lead was clear first
};

// Call it at each settled level, in order. The caller keeps `lead` between calls; it begins empty.
// A win leads what does not win, and what does not lose leads a loss, by any number of σ; a single
// legal move leads. Moves excluded by the graph's basis or by `directives` (may be null) are no
// part of the game.
std::optional<StopReason> may_stop(const StopRules& rules, const Graph& graph, NodeId root,
                                   const RootAnswer& answer, const std::optional<Noise>& noise,
                                   int level, Lead& lead, const Directives* directives = nullptr);

// Strategy `anchored`: one long search of the root that grows with the tree, and a tree that finds
// what else may be best (docs/internals/strategies.md). Here: its limits, and which move it answers
// with.

// Anchors grow no further: 8 · 2^40 times the analysis's limit is more than anybody can wait for.
inline constexpr int last_anchor = 40;
// The limit of the anchor's search number `step`, 0 … last_anchor: 8 · 2^step times the analysis's,
// by effort. `part` of anchor_parts: so many parts of the way to the next step, nodes only. (The
// last search of a budget. A few sizes, so that one that is out can be told by its question.)
inline constexpr int anchor_parts = 8;
Limit anchor_limit(const Limit& limit, int step, int part = 0);
// The largest of these that so many nodes can pay for; at least that of step 0. `limit` is in
// nodes.
Limit largest_anchor_limit(const Limit& limit, std::uint64_t nodes);
// What the other root moves and the positions after them are searched with at a level ≥ 1: 2^(level
// − 1) times the analysis's; an eighth of what the level's first anchor has.
Limit candidate_limit(const Limit& limit, int level);

struct Anchor {
    int step = 0; // of the largest search of the root, as far as it is known
    chess::Move move;
    std::size_t index = 0; // in graph.moves(root)
    chess::Score score;    // that search's, mover's side
};
// `excluded`: moves that the analysis leaves out. nullopt: no search of the root is as large as the
// first anchor.
std::optional<Anchor> anchor_of(const Graph& graph, NodeId root, const Limit& limit,
                                std::span<const chess::Move> excluded = {});

// Court: the last search of a level, of a few candidates together. It decides.

// Of work that has had so many nodes up to an anchor's step, the court's share; in doublings of
// that anchor, since the tree has had as much. `share`: 0 < share < 1.
Limit court_limit(const Limit& limit, int step, double share);
// What decides between the moves of the root, which `line` ends at: the largest joint search that
// looked at the move of the largest search there, and is not much smaller than that. `excluded`:
// moves that the analysis leaves out. Null: there is none, or its best move loses. Valid until the
// graph changes.
const JointSearch* court_of(const Graph& graph, std::span<const NodeId> line,
                            std::span<const chess::Move> excluded = {});

// After a court the move that is worth most then, whatever is verified. Before, the anchor's move,
// unless it repeats, or the tree has a mate against it or elsewhere; without an anchor as
// root_answer.
std::optional<RootAnswer> anchored_answer(const Graph& graph, NodeId root,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          std::span<const chess::Move> excluded = {});
// The same with a line that ends at the root as history.
std::optional<RootAnswer> anchored_answer(const Graph& graph, std::span<const NodeId> line,
                                          std::span<const chess::Move> verified, const Limit& limit,
                                          std::span<const chess::Move> excluded = {});

} // namespace adjourn::analysis
