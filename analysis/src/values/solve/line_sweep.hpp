// LineSweep: alpha on a network, at the end of a line that can be made longer.
#pragma once

#include "game_update.hpp"
#include "values/order/component_order.hpp"
#include "values/store/flat_map.hpp"
#include "values/store/network.hpp"
#include "values/value_graph.hpp"

#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

// Neither the network nor the components may change meanwhile.
class LineSweep {
public:
    // See ValueGraph::line_values().
    LineSweep(const Network& network, const ComponentOrder& components,
              std::span<const NodeId> line);
    LineSweep(const LineSweep&) = delete;
    LineSweep& operator=(const LineSweep&) = delete;

    LineResult result() const;
    // Goes on to a node that the line's last one has a move to. Costs are those of the values that
    // the longer history changes.
    void push(NodeId node);

private:
    // Both sides' gains in what the line's last node can lead to without leaving its φ-class.
    struct Sides {
        Region region;
        GameUpdate white;
        GameUpdate black;

        Sides(const Region& of, GameUpdate first, GameUpdate second)
            : region{of}, white{std::move(first)}, black{std::move(second)} {}
    };

    struct Loss {
        NodeId node;
        int worth; // of one of its moves, to the side
    };

    void open(const std::vector<NodeId>& tail);
    void add_dead_ends(const std::vector<NodeId>& nodes);
    std::vector<Loss> losses(const GameUpdate& side, const std::vector<NodeId>& nodes) const;
    void withdraw(GameUpdate& side, const std::vector<Loss>& losses) const;

    const Network& network_;
    const ComponentOrder& order_;
    NodeId last_;
    FlatSet tail_;               // nodes of the line that the last one may lead back to
    std::optional<Sides> sides_; // none: nothing of the class is known from there
};

} // namespace adjourn::analysis
