// Propagation: carries a change upward, components in the order of (φ, order), only while values
// change.
#pragma once

#include "game_update.hpp"
#include "values/order/component_order.hpp"
#include "values/store/network.hpp"

#include <cstdint>
#include <queue>
#include <vector>

namespace adjourn::analysis {

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
