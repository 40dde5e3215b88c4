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
    LineSweep() = default;
    virtual ~LineSweep() = default;
    LineSweep(const LineSweep&) = delete;
    LineSweep& operator=(const LineSweep&) = delete;

    virtual LineResult result() const = 0;
    // Goes on by the i-th move of the line's last node, and tells where that is. Costs are those
    // of the values that the longer history changes.
    virtual NodeId follow(std::size_t i) = 0;
};

// In the present network, or a past one.
template <class AnyNetwork>
class BasicLineSweep final : public LineSweep {
public:
    // See ValueGraph::line_values().
    BasicLineSweep(const AnyNetwork& network, const ComponentOrder& components,
                   std::span<const NodeId> line);

    LineResult result() const override;
    NodeId follow(std::size_t i) override;

private:
    using GameUpdate = BasicGameUpdate<AnyNetwork>;
    using Region = BasicRegion<AnyNetwork>;

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

    const AnyNetwork& network_;
    const ComponentOrder& order_;
    NodeId last_;
    FlatSet tail_;               // nodes of the line that the last one may lead back to
    std::optional<Sides> sides_; // none: nothing of the class is known from there
};

using PresentLineSweep = BasicLineSweep<Network>;

} // namespace adjourn::analysis
