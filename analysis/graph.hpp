// Graph: the moves that one engine profile has scored with evaluations of some effort at least,
// over all roots, with both backed-up values kept right after every change. It is a directed graph
// with cycles (docs/internals/scores.md).
//
//   node = position            move = position × legal move that an evaluation names
//   expanded node = has a move    leaf = move to a node that is not expanded
//
// Any number of threads may read while none writes; what is const reads. No I/O, clock or
// randomness; the same facts in any order give the same values.
#pragma once

#include "analysis/records.hpp"
#include "analysis/tables.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace adjourn::analysis {

enum class NodeId : std::uint32_t {};

// A move of the graph as one node sees it. Millions of them are in memory: ids have 48 bits, times
// 47 (140 million million; ±2,200 years around 1970).
struct GraphMove {
    chess::Score engine_score; // of the best evaluation that names it; mover's side
    NodeId target;
    double effort;                // of that evaluation's limit
    EvaluationId evaluation : 48; // that evaluation
    chess::Move move;
    UnixMs at : 47; // when that evaluation's answer arrived
    // The graph's own: what is known below the move is too little to overrule the engine's score of
    // it (docs/internals/scores.md). No effect where the target is exact or not expanded.
    bool trusted : 1 = false;
    std::uint16_t rest_note = 0; // the graph's own: see RestFacts
};

static_assert(sizeof(GraphMove) == 32);

// A move together with the value it has in a context (mover's side).
struct MoveValue {
    chess::Score value;
    bool repetition = false;   // alpha only: leads to a position of the line
    bool closes_cycle = false; // idea only: keeps its engine score (docs/internals/scores.md)
};

// A search that was free to choose among two to four moves of a position alone, and is much larger
// than what the graph rests on at least: a court (root_answer.hpp), if these are its candidates.
struct JointSearch {
    static constexpr std::size_t most_moves = 4;

    std::vector<chess::Move> among; // sorted
    chess::Move move;               // the best of them
    chess::Score score;             // its, mover's side; no other of them is worth more
    double effort = 0;
    UnixMs at = 0;
    EvaluationId evaluation{};

    friend bool operator==(const JointSearch&, const JointSearch&) = default;
};

class LineSweep; // of values

class Graph {
public:
    // With endgame tables, every node that they cover is exact from the start.
    explicit Graph(std::shared_ptr<const Tables> tables = nullptr, Basis basis = {});
    ~Graph();
    Graph(Graph&&) noexcept;
    Graph& operator=(Graph&&) noexcept;

    // Finds or creates. Creating has no effect on any value. A node that is mate, stalemate, dead
    // or covered by the tables gets its exact value by itself.
    NodeId intern(const chess::Position& position);
    std::optional<NodeId> find(const chess::PackedPosition& position) const;
    chess::Position position(NodeId node) const;
    std::size_t node_count() const;
    std::size_t move_count() const;

    // Roots count: adding one twice needs removing it twice. They define plies (idea's rule for
    // cycles).
    void add_root(NodeId node);
    void remove_root(NodeId node);
    // Ascending, each as often as it counts.
    std::vector<NodeId> roots() const;
    // Shortest distance from any root in moves of nodes without exact value; nullopt if
    // unreachable or beyond 65,534.
    std::optional<std::uint32_t> ply(NodeId node) const;

    // Takes a fact in; values of everything it touches are right on return. A fact without move or
    // exact score, or whose move is excluded or not legal, changes nothing; nor does one that the
    // basis leaves out (large_enough()). Of a move that the basis excludes only what the fact says
    // of the other moves is kept. A fact whose effort is lower than what the move has already is
    // kept out of the engine score; equal effort: the later `at`, then the larger id, wins. Returns
    // the nodes whose game value, idea, moves or rest bounds changed (sorted; empty if none). All
    // facts must be of one engine, or of engines that are accepted as equals.
    std::vector<NodeId> apply(const Evaluation& fact);
    // What the graph was made with; may be null.
    const Tables* tables() const;
    const Basis& basis() const;
    // The moves that the basis excludes there, sorted.
    std::vector<chess::Move> excluded_at(const chess::PackedPosition& position) const;
    // Gives a node an exact value (mover's side); it is a leaf from then on. The rules go
    // before the table: nothing happens to mate, stalemate and dead positions.
    std::vector<NodeId> set_exact(NodeId node, chess::Score value);

    // For many facts at once: between the two, changes cost no propagation and return nothing, and
    // values must not be asked for; the end solves everything in one go. Do not nest.
    void begin_bulk();
    void end_bulk();

    // A copy of nodes and moves alone, as after begin_bulk().
    Graph copy_in_bulk() const;
    // In bulk: back to a moment. A move whose evaluation is newer gets the best of `older`, or is
    // none any more; newer joint searches go. `changed`: all nodes with such moves; `older`: all
    // that was known then of their positions. More of either does no harm. After end_bulk() the
    // graph is for moves, game values and LineValues alone, and nothing may change.
    void go_back(UnixMs moment, std::span<const NodeId> changed, std::span<const Evaluation> older);

    // In the order in which they entered; valid until the next change.
    std::span<const GraphMove> moves(NodeId node) const;
    bool expanded(NodeId node) const { return !moves(node).empty(); }
    // Mate, stalemate, dead or tablebase value (mover's side).
    std::optional<chess::Score> exact(NodeId node) const;

    // Backed-up values of a node, mover's side; nullopt where neither exact nor expanded.
    std::optional<chess::Score> idea(NodeId node) const;
    // The history-free alpha: the value of the game from here in which the first repetition is a
    // draw.
    std::optional<chess::Score> game_value(NodeId node) const;
    // Of the i-th move of moves(node).
    MoveValue idea_of(NodeId node, std::size_t i) const;
    chess::Score game_value_of(NodeId node, std::size_t i) const;

    // What the engine said of the moves not searched: the lowest score of an evaluation of effort ≥
    // `effort` whose excluded moves are all in the graph with effort ≥ `effort`, in `ignored`, or
    // excluded by the basis.
    // No unsearched move is worth more than that, by the engine. nullopt: nothing known. A search
    // that had one move left to choose from said nothing of others and does not count.
    std::optional<chess::Score> rest_bound(NodeId node, double effort,
                                           std::span<const chess::Move> ignored = {}) const;

    // Of the i-th move of moves(node): what the largest search that could have chosen it, and chose
    // another move, said of that one; of equally large ones the lowest score. By that search the
    // move is worth no more. Only searches of at least twice the move's own effort count; nullopt:
    // none. Mover's side.
    std::optional<chess::Score> ceiling_of(NodeId node, std::size_t i) const;

    // Of the node, the largest first, of equal ones the newest; valid until the next change. None
    // with a move that the basis excludes.
    std::span<const JointSearch> joint_searches(NodeId node) const;

    // Moves of other nodes that lead here.
    struct Parent {
        NodeId node;
        std::size_t move; // index in moves(node)
    };
    std::vector<Parent> parents(NodeId node) const;
    // Number of expanded nodes reachable from here, itself included, up to `limit`.
    std::size_t count_below(NodeId node, std::size_t limit) const;

    // Recomputes everything from the moves and compares; the names of nodes that differ (for
    // `adjourn check` and tests; O(E log E)).
    std::vector<NodeId> verify() const;
    // Bytes held in memory.
    std::size_t memory() const;

    // Order-independent digest of all facts in force and all values (not of ids or insertion
    // order).
    std::uint64_t digest() const;

private:
    friend class GraphReader;
    friend class LineValues;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// alpha: values at the end of a line of positions (from the root, each reached from the one before
// by a legal move; the last one is where we stand). Exact for that history. Costs are those of the
// values that the history changes, at most one sweep of the last position's reversible class.
class LineValues {
public:
    // The graph must not change while this is in use. `court`: what was decided at the end of the
    // line; its moves are worth what after_court() says, but where their history makes them a draw.
    LineValues(const Graph& graph, std::span<const NodeId> line,
               const JointSearch* court = nullptr);
    ~LineValues();
    LineValues(LineValues&&) noexcept;
    LineValues& operator=(LineValues&&) noexcept;

    // Where the line ends.
    NodeId node() const { return node_; }
    // alpha of the position itself with this history; nullopt where neither exact nor expanded.
    std::optional<chess::Score> alpha() const { return alpha_; }
    // alpha of the i-th move of graph.moves(node()).
    MoveValue alpha_of(std::size_t i) const { return moves_[i]; }
    // Makes the line longer by that move. Costs no more than what the longer history changes. A
    // court has no say there.
    void follow(std::size_t i);

private:
    void read();

    std::unique_ptr<LineSweep> sweep_;
    NodeId node_;
    std::optional<chess::Score> alpha_;
    std::vector<MoveValue> moves_;
};

// Whether the i-th move of the node has its alpha by a repetition alone: engines, which know no
// history, do not see it.
bool drawn_by_history(const Graph& graph, NodeId node, std::size_t i, const MoveValue& alpha);

// What a move of a position is worth where candidates were searched together, mover's side; `value`
// is its value without that. The best of them has the court's score, and every other move is worth
// at least a centipawn less. What is decided or known exactly stays as it is. Null: there was none.
chess::Score after_court(const Graph& graph, const GraphMove& move, chess::Score value,
                         const JointSearch* court);
// So of ideas: of the i-th move of the node, and of the node itself; nullopt as Graph::idea().
chess::Score idea_after(const Graph& graph, NodeId node, std::size_t i, const JointSearch* court);
std::optional<chess::Score> idea_after(const Graph& graph, NodeId node, const JointSearch* court);

// MoveOrder: the one order in which the moves of a position are listed, so that the first row of a
// table, the best move, the variation and the main line of an export are the same move.

// Whether a move's value is more than the engine's score of it: its target was searched or is known
// exactly, or the engine sees the win.
inline bool judged_below(const Graph& graph, const GraphMove& move) {
    return graph.expanded(move.target) || graph.exact(move.target) || move.engine_score.is_win();
}

// What sorts ascending, best move first: by value (mover's side, of whatever kind the list is
// about), of equal values what is judged below before what is not, then the larger effort, then the
// smaller move. Different for any two moves of a position.
using MoveOrder = std::tuple<int, bool, double, chess::Move>;

inline MoveOrder move_order(const Graph& graph, const GraphMove& move, chess::Score value) {
    return {-value.rank(), !judged_below(graph, move), -move.effort, move.move};
}

// Principal variations from the end of a line, best move first (MoveOrder). Ends
// at a leaf, after a repetition, or at max_plies. From
// a position that the tables cover it goes on by their best moves: to mate where one side wins,
// else for one move, and that only at the very start.
inline constexpr std::size_t longest_pv = 256;
std::vector<chess::Move> idea_pv(const Graph& graph, NodeId node,
                                 std::size_t max_plies = longest_pv);
std::vector<chess::Move> alpha_pv(const Graph& graph, std::span<const NodeId> line,
                                  std::size_t max_plies = longest_pv,
                                  const JointSearch* court = nullptr);

// GraphReader: a graph of many facts, read in one go: several times as quick as Graph::apply() for
// each, with the same result.

// Needs 25 bytes a move beside the graph until it is finished. One thread at a time. Throws
// std::length_error as Graph does.
class GraphReader {
public:
    explicit GraphReader(std::shared_ptr<const Tables> tables = nullptr, Basis basis = {});
    ~GraphReader();
    GraphReader(GraphReader&&) noexcept;
    GraphReader& operator=(GraphReader&&) noexcept;

    // In any order; quickest where the facts of a position come one after the other, as stores give
    // them. Facts that Graph::apply() ignores are ignored.
    void take(const Evaluation& fact);
    // The graph of all facts taken, with these roots. Call it once, and nothing afterwards. The
    // graph is equal to one that was given the facts one by one: moves of a position in the order
    // in which they came, values, rest bounds. Nodes may have other numbers, and parents another
    // order.
    Graph finish(std::span<const chess::Position> roots = {});

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace adjourn::analysis
