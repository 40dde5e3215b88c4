// ValueGraph: the two scores on a graph of moves, kept right after every change, without knowing
// any chess. Graph maps positions to its nodes. docs/internals/scores.md says what the values mean.
//
// A node begins as a bare leaf. It must be described (side to move, φ) before it gets moves or an
// exact value. A move never leads to a node of larger φ, and always to one of the other side; that
// is what keeps every cycle inside one φ-class. A node is *active* if it has moves and no exact
// value.
//
// Any number of threads may read while none writes. No I/O, clock or randomness.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

class LineSweep; // of values

struct LineResult {
    std::optional<chess::Score> alpha;
    std::vector<MoveValue> moves; // of the line's last node
};

class ValueGraph {
public:
    static constexpr std::size_t max_moves = 4'096; // of one node

    ValueGraph();
    ~ValueGraph();
    ValueGraph(ValueGraph&&) noexcept;
    ValueGraph& operator=(ValueGraph&&) noexcept;

    // ---- shape ----
    NodeId add_node();
    // Once; saying the same again does nothing. φ in 0…255.
    void describe(NodeId node, chess::Color turn, int phi);
    bool described(NodeId node) const;
    // Described nodes are numbered 0, 1, 2… in the order in which they were described.
    std::uint32_t record_index(NodeId node) const;
    // Precondition: described.
    chess::Color turn(NodeId node) const;
    int phi(NodeId node) const;

    std::size_t node_count() const;
    std::size_t move_count() const;

    // In the order in which they were added; valid until the next change.
    std::span<const GraphMove> moves(NodeId node) const;
    // Nodes with a move to here, each once.
    std::vector<NodeId> parents(NodeId node) const;
    // One of them.
    std::optional<NodeId> a_parent(NodeId node) const;
    std::optional<chess::Score> exact(NodeId node) const;
    std::optional<std::uint32_t> ply(NodeId node) const;
    // Ascending, each as often as it counts.
    std::vector<NodeId> roots() const;

    // ---- changes: each returns the nodes whose idea or game value changed (sorted) ----
    std::vector<NodeId> add_move(NodeId source, const GraphMove& move);
    // Same target, and no less effort; what else differs is replaced.
    std::vector<NodeId> replace_move(NodeId source, std::size_t i, const GraphMove& move);
    std::vector<NodeId> set_exact(NodeId node, chess::Score value);
    std::vector<NodeId> add_root(NodeId node);
    std::vector<NodeId> remove_root(NodeId node); // precondition: is one
    // Stored for the owner of the graph; no value depends on it.
    void set_rest_note(NodeId node, std::size_t i, std::uint16_t note);

    // Between these two, changes return nothing and values are meaningless; the end solves all at
    // once. Do not nest.
    void begin_bulk();
    void end_bulk();
    bool in_bulk() const;
    // A copy without roots, as after begin_bulk().
    ValueGraph copy_in_bulk() const;
    // In bulk, moves may come by nodes: first all of a node, those that it has and others behind
    // them, whose targets mean nothing yet; then where each leads, once and in their order. Where
    // moves are left out, parents() still has them, and nothing may change after end_bulk().
    void put_moves(NodeId source, std::span<const GraphMove> moves);
    void link_move(NodeId source, std::size_t i, NodeId target);
    // Asks the memory for what link_move() needs of its target; the second once the first has come.
    void prefetch_link(NodeId node) const;
    void prefetch_record(NodeId node) const;

    // ---- values, mover's side; not in bulk ----
    std::optional<chess::Score> idea(NodeId node) const;
    std::optional<chess::Score> game_value(NodeId node) const;
    MoveValue idea_of(NodeId node, std::size_t i) const;
    chess::Score game_value_of(NodeId node, std::size_t i) const;
    // With the nodes of the line, the last included, as dead ends worth 0. The line is what was
    // played: φ never rises along it. Costs are those of the values that differ from game values.
    // Its result() has them, and the line may be followed further: LineValues.
    std::unique_ptr<LineSweep> sweep(std::span<const NodeId> line) const;

    // Nodes whose kept values differ from a solution made afresh; one node at least if anything
    // else about the kept state is wrong.
    std::vector<NodeId> verify() const;
    // Bytes held.
    std::size_t memory() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace adjourn::analysis
