// Solution: all values of a network from its moves alone, in one go: plies breadth first,
// components, then each component after those it leads to; in a component of several nodes one
// sweep for each side. Gains no rule of change with Propagation, so that each can check the other.
// O(E log E) at worst, O(E) but for the moves inside components of several nodes.
#pragma once

#include "analysis/values/order/component_order.hpp"
#include "analysis/values/solve/game_update.hpp"
#include "analysis/values/store/network.hpp"

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

namespace adjourn::analysis {

// By record index; meaningful for active nodes only.
struct Solution {
    std::vector<std::uint32_t> ply;
    std::vector<std::uint32_t> idea; // Score::encode()
    std::vector<std::int32_t> value; // rank
    std::vector<std::uint32_t> component;
    std::vector<std::uint32_t> support; // see Network; 0 for components of one node
    // The components' nodes, children first: those of the i-th are nodes[ends[i-1]…ends[i]).
    std::vector<NodeId> nodes;
    std::vector<std::size_t> ends;

    std::span<const NodeId> nodes_of(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends[i - 1];
        return std::span{nodes}.subspan(begin, ends[i] - begin);
    }
};

Solution solve(const Network& network, const Plies& roots);

// Propagation: carries a change upward, components in the order of (φ, order), only while values
// change.

// For one change: first all notes, then run().
class Propagation {
public:
    Propagation(Network& network, const ComponentOrder& components)
        : network_{network}, order_{components} {}

    // A move of the node was worth `before` in the game and is worth `now` (ranks, mover's side;
    // GameUpdate::absent for a new move). Nodes that are not active are passed over.
    void note_value(NodeId node, int before, int now);
    // The idea of a move of the node may have changed.
    void note_idea(NodeId node);
    // What the node owed others of its value means nothing now: it has become part of a group, or
    // one of its moves no longer keeps its engine score, or does from now on.
    void note_joined(NodeId node);
    // The node has just become active; its parents' moves were leaves.
    void note_new(NodeId node);

    // Returns the nodes whose idea or game value changed, and the new one.
    std::vector<NodeId> run();

private:
    struct Note {
        std::uint32_t phi;
        std::int32_t order;
        Component component;
        NodeId node;
        int before;
        int now;
        bool value;
        bool idea;
        bool joined;

        bool later_than(const Note& other) const {
            if (phi != other.phi) {
                return phi > other.phi;
            }
            return order != other.order ? order > other.order : component > other.component;
        }
    };
    struct LaterFirst {
        bool operator()(const Note& a, const Note& b) const { return a.later_than(b); }
    };

    void push(NodeId node, const Record& record, int before, int now, bool value, bool idea);
    void solve_alone(NodeId node, bool value, bool idea);
    void resettle(GameUpdate& side, const Region& region, const std::vector<Note>& notes) const;
    void solve_group_values(Component component, const std::vector<Note>& notes);
    void solve_group_ideas(Component component, const std::vector<Note>& notes);
    void tell_parents(NodeId node, int value_before, bool value_changed, bool idea_changed);

    Network& network_;
    const ComponentOrder& order_;
    std::priority_queue<Note, std::vector<Note>, LaterFirst> notes_;
    std::vector<NodeId> changed_;
    NodeId new_{};
    bool has_new_ = false;
};

} // namespace adjourn::analysis
