// ComponentUpdate: keeps ComponentOrder up to date, move by move.
//
// A new move that goes against the order is looked at from both ends at once; the side that is
// exhausted first is moved out of the way, or reveals the cycle. What is looked at is bounded by
// the smaller of the two sides, and both by the orders of the move's ends. Two-way search after
// Bender, Fineman, Gilbert, Tarjan, "A new approach to incremental cycle detection and related
// problems" (ACM Trans. Algorithms 12, 2016), orders moved in between as by Pearce and Kelly (J.
// Exp. Algorithmics 11, 2007).
#pragma once

#include "component_order.hpp"
#include "values/store/network.hpp"

#include <vector>

namespace adjourn::analysis {

class ComponentUpdate {
public:
    ComponentUpdate(Network& network, ComponentOrder& components)
        : network_{network}, order_{components} {}

    // The node has just become active; none of its targets counts yet.
    void place(NodeId node);
    // The active node has a new move to an active node. Returns the nodes that joined the component
    // that came of it, except for those of its largest part. Moves that lie inside a component now
    // and did not before are moves of these nodes or to them.
    std::vector<NodeId> link(NodeId source, NodeId target);
    // The node is no longer active, but still has the place that it had. Returns the nodes whose
    // moves may no longer lie inside a component.
    std::vector<NodeId> unlink(NodeId node);

private:
    Network& network_;
    ComponentOrder& order_;
};

} // namespace adjourn::analysis
