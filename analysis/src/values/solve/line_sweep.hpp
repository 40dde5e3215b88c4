// LineSweep: alpha on a network, at the end of a line that can be made longer.
#pragma once

#include "resettle.hpp"
#include "values/order/units.hpp"
#include "values/store/flat_map.hpp"
#include "values/store/network.hpp"
#include "values/value_graph.hpp"

#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

// What a move is worth in the game without history.
chess::Score game_score(const Network& network, const GraphMove& move);

// Neither the network nor the units may change meanwhile.
class LineSweep {
public:
    // See ValueGraph::line_values().
    LineSweep(const Network& network, const Units& units, std::span<const NodeId> line);
    LineSweep(const LineSweep&) = delete;
    LineSweep& operator=(const LineSweep&) = delete;

    LineResult result() const;
    // Goes on to a node that the line's last one has a move to. Costs are those of the values that
    // the longer history changes.
    void push(NodeId node);

private:
    // Both sides' shares in what the line's last node can lead to without leaving its φ-class.
    struct Sides {
        Region region;
        Resettle white;
        Resettle black;

        Sides(const Region& of, Resettle first, Resettle second)
            : region{of}, white{std::move(first)}, black{std::move(second)} {}
    };

    struct Loss {
        NodeId node;
        int worth; // of one of its moves, to the side
    };

    void open(const std::vector<NodeId>& tail);
    void bury(const std::vector<NodeId>& nodes);
    std::vector<Loss> losses(const Resettle& side, const std::vector<NodeId>& nodes) const;
    void suffer(Resettle& side, const std::vector<Loss>& losses) const;

    const Network& network_;
    const Units& units_;
    NodeId last_;
    FlatSet tail_;               // nodes of the line that the last one may lead back to
    std::optional<Sides> sides_; // none: nothing of the class is known from there
};

} // namespace adjourn::analysis
