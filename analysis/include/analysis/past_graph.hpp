// PastGraph: a graph as it was, beside the graph as it is: game values and alpha as a graph made of
// the facts up to then has them, at the price of what has changed since.
//
// Whoever makes it says what the moves of then were, wherever they were others than now
// (moves_then()). The graph may go on changing meanwhile; what comes is taken back, too, if that is
// said. Ideas and plies are those of the present only, and are not offered here.
//
// Not to be used once the graph is gone. One thread at a time.
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

    // The node had these moves. All that is known must be said before the first go_on().
    void set_moves(NodeId node, std::vector<GraphMove> moves);
    // The graph has changed: all nodes that its apply() has returned since it was heard of last,
    // and what moves those nodes had before that a fact was about.
    struct Before {
        NodeId node;
        std::vector<GraphMove> moves;
    };
    void present_changed(std::span<const NodeId> changed, std::span<const Before> about);
    // Whether set_moves() or present_changed() has said what the node's moves were.
    bool knows_moves(NodeId node) const;
    // Works until all values are right (true), or `time_up`, which is asked between two steps,
    // says so (false). A step takes some milliseconds at most.
    bool go_on(const std::function<bool()>& time_up);
    // It would take too much: what go_on() has made is of no use.
    bool too_much() const;

    // As of Graph, of then. Values once go_on() has returned true, and the graph has not changed
    // since.
    const Tables* tables() const { return present_->tables(); }
    std::optional<NodeId> find(const chess::PackedPosition& position) const;
    chess::Position position(NodeId node) const { return present_->position(node); }
    std::span<const GraphMove> moves(NodeId node) const;
    bool expanded(NodeId node) const { return !moves(node).empty(); }
    std::optional<chess::Score> exact(NodeId node) const { return present_->exact(node); }
    std::optional<chess::Score> game_value(NodeId node) const;
    chess::Score game_value_of(NodeId node, std::size_t i) const;
    // Whether a move of then leads there.
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
// What the facts of one position say, by a graph's basis.
struct FactsThen {
    // For each move the evaluation in force at the moment; where they lead is not told. Excluded
    // and illegal moves may be among them.
    std::vector<GraphMove> moves;
    std::size_t newer = 0; // facts newer than the moment, up to `now`
};
FactsThen facts_then(const Basis& basis, std::span<const Evaluation> facts, UnixMs moment,
                     UnixMs now = std::numeric_limits<UnixMs>::max());
// The moves of then, by those of now, and by `older` where the evaluation in force is newer than
// the moment. What is no newer was in force then, too: it goes before all others.
std::vector<GraphMove> moves_then(std::span<const GraphMove> now, std::span<const GraphMove> older,
                                  UnixMs moment);

} // namespace adjourn::analysis
