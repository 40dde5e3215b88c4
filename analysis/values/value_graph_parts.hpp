// What ValueGraph is made of.
#pragma once

#include "analysis/values/value_graph.hpp"

#include "analysis/values/order/component_order.hpp"
#include "analysis/values/solve/engine_scores.hpp"
#include "analysis/values/solve/game_update.hpp"
#include "analysis/values/solve/solution.hpp"
#include "analysis/values/store/network.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace adjourn::analysis {

struct ValueGraph::Parts {
    Network network;
    ComponentOrder components{network};
    ComponentUpdate component_update{network, components};
    Plies plies{network};
    EngineScores scores{network};
    std::size_t active = 0;
    bool bulk = false;

    // Whether the node's value is upheld in the way that later changes take for granted.
    bool sound(NodeId node, const Record& record) const {
        const Region region{network,      components, record.phi, ComponentOrder::of(node, record),
                            std::nullopt, nullptr};
        return GameUpdate{region, chess::Color::white}.sound(node) &&
               GameUpdate{region, chess::Color::black}.sound(node);
    }

    Propagation propagation() { return Propagation{network, components}; }

    // From now on what is below the moves counts.
    void note_overruled(Propagation& propagation,
                        const std::vector<EngineScores::Overruled>& overruled) const {
        for (const auto& [place, before] : overruled) {
            const auto& [node, i] = place;
            propagation.note_value(node, before, network.game_rank(network.moves(node)[i]));
            propagation.note_joined(node);
            propagation.note_idea(node);
        }
    }

    // The ideas of the nodes, and of those with moves to them, inside components.
    void note_inside(Propagation& propagation, const std::vector<NodeId>& changed) const {
        for (const NodeId node : changed) {
            const Record& record = network[node];
            if (!record.grouped) {
                continue;
            }
            propagation.note_idea(node);
            network.for_each_parent(node, [&](NodeId parent) {
                if (network[parent].active() && ComponentOrder::together(network[parent], record)) {
                    propagation.note_idea(parent);
                }
            });
        }
    }
};

} // namespace adjourn::analysis
