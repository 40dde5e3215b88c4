// PastGraph: a graph as it was at an earlier moment: game values and alpha as a graph of the facts
// up to then would have them. Its costs are those of what has changed since, not of the whole
// graph.
//
// The caller gives the former moves of each position whose moves have changed since (moves_then()).
// The present graph may go on changing if the caller reports that, too (present_changed()). Ideas
// and plies are known for the present only.
//
// The present graph must outlive it. One thread at a time.
#pragma once

#include "analysis/graph.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

class PastValues; // of src/values

class PastGraph {
public:
    explicit PastGraph(const Graph& present);
    ~PastGraph();
    PastGraph(PastGraph&&) noexcept;
    PastGraph& operator=(PastGraph&&) noexcept;

    // The node had these moves then. To be called for all known nodes before the first go_on().
    void set_moves(NodeId node, std::vector<GraphMove> moves);
    // The present graph has changed. `changed`: all nodes that its apply() has returned since the
    // last call. `about`: the nodes that the new facts are about, with their moves before that.
    struct Before {
        NodeId node;
        std::vector<GraphMove> moves;
    };
    void present_changed(std::span<const NodeId> changed, std::span<const Before> about);
    // Whether set_moves() or present_changed() was given the node's former moves.
    bool knows_moves(NodeId node) const;
    // Works until all values are right (true), or `time_up`, which is asked between two steps,
    // says so (false). A step takes some milliseconds at most.
    bool go_on(const std::function<bool()>& time_up);
    // True if too much has changed: give it up, and read the past from the store.
    bool too_much() const;

    // As in Graph, at that moment. Values are valid once go_on() has returned true, until the
    // present graph changes.
    const Tables* tables() const { return present_->tables(); }
    std::optional<NodeId> find(const chess::PackedPosition& position) const;
    chess::Position position(NodeId node) const { return present_->position(node); }
    std::span<const GraphMove> moves(NodeId node) const;
    bool expanded(NodeId node) const { return !moves(node).empty(); }
    std::optional<chess::Score> exact(NodeId node) const { return present_->exact(node); }
    std::optional<chess::Score> game_value(NodeId node) const;
    chess::Score game_value_of(NodeId node, std::size_t i) const;
    // Whether a move led there then.
    bool reached(NodeId node) const;

private:
    friend class LineValues;
    const Graph* present_;
    std::unique_ptr<PastValues> values_;
};

std::vector<chess::Move> alpha_pv(const PastGraph& graph, std::span<const NodeId> line,
                                  std::size_t max_plies = longest_pv);

// Whether a graph of that basis rests on the fact, if its move is legal.
bool counts(const Basis& basis, const Evaluation& fact);
// What the facts of one position came to at a moment, by a graph's basis.
struct FactsThen {
    // Each move with the evaluation in force at the moment; `target` is not set. Excluded and
    // illegal moves may be among them.
    std::vector<GraphMove> moves;
    std::size_t newer = 0; // facts newer than the moment, up to `now`
};
FactsThen facts_then(const Basis& basis, std::span<const Evaluation> facts, UnixMs moment,
                     UnixMs now = std::numeric_limits<UnixMs>::max());
// The moves at the moment: those of now whose evaluation is no newer (it was in force then, too),
// and those of `older` in place of the others.
std::vector<GraphMove> moves_then(std::span<const GraphMove> now, std::span<const GraphMove> older,
                                  UnixMs moment);

} // namespace adjourn::analysis
