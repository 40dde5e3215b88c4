// GraphGame: a graph of positions as FlipCosts looks at it, with the line that leads to the
// position asked about.
#pragma once

#include "answer/flip.hpp"

#include "analysis/graph.hpp"
#include "analysis/verdict.hpp"

#include <span>
#include <unordered_set>
#include <vector>

namespace adjourn::analysis {

class GraphGame final : public FlipGame {
public:
    // Index of the moves of a position that were not asked, as one leaf.
    static constexpr std::size_t the_rest = ~std::size_t{0};

    // The graph must outlive it. `line` ends at the position asked about, of which `excluded` are
    // no part of the game.
    GraphGame(const Graph& graph, std::span<const NodeId> line, const LeafNoise& noise,
              std::vector<chess::Move> excluded);

    chess::Color turn(std::uint32_t node) const override;
    void moves(std::uint32_t node, std::vector<FlipMove>& out) const override;
    int value(std::uint32_t node) const override;
    bool on_line(std::uint32_t node) const override { return line_.contains(node); }
    bool may_return(std::uint32_t node) const override { return before_.contains(node); }

    // One of moves(); nullopt: there is none of that index.
    std::optional<FlipMove> move(NodeId node, std::size_t index) const;

private:
    FlipMove of_move(NodeId node, std::size_t i) const;
    void add_rest(NodeId node, std::span<const chess::Move> excluded, int best,
                  std::vector<FlipMove>& out) const;

    const Graph& graph_;
    const LeafNoise noise_;
    const NodeId asked_;
    const std::vector<chess::Move> excluded_;
    std::unordered_set<std::uint32_t> line_;
    std::unordered_set<std::uint32_t> before_; // from there play can come back to the line
};

} // namespace adjourn::analysis
