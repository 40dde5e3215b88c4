// ComponentOrder: the strong components of the moves of active nodes, each with an order. A move
// inside one φ-class from one component to another leads to a lower order; moves to another φ-class
// lead to a lower φ. So (φ, order) is an order in which everything can be solved. Which nodes make
// up a component is for ComponentUpdate to say.
#pragma once

#include "analysis/values/store/network.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

// A node alone is named by itself, a group of several by its number.
enum class Component : std::uint32_t {};

constexpr std::uint32_t key(Component component) {
    return static_cast<std::uint32_t>(component);
}

class ComponentOrder {
public:
    enum class Direction : std::uint8_t { up, down }; // towards parents, towards targets

    explicit ComponentOrder(Network& network) : network_{network} {}

    static Component of(NodeId node, const Record& record) {
        return record.grouped ? group_component(static_cast<std::size_t>(record.place))
                              : Component{index_of(node)};
    }
    static bool is_group(Component component) { return (key(component) & group_bit) != 0; }
    static bool together(const Record& a, const Record& b) {
        return a.grouped && b.grouped && a.place == b.place;
    }

    std::int32_t order(const Record& record) const {
        return record.grouped ? groups_[static_cast<std::size_t>(record.place)].order
                              : record.place;
    }
    std::int32_t order(Component component) const {
        return is_group(component) ? groups_[group_of(component)].order
                                   : network_[alone(component)].place;
    }
    std::size_t size(Component component) const {
        return is_group(component) ? groups_[group_of(component)].members.size() : 1;
    }
    NodeId member(Component component, std::size_t i) const {
        return is_group(component) ? groups_[group_of(component)].members[i] : alone(component);
    }
    // Other components of the node's φ-class that its moves, or moves to it, connect with its
    // component.
    template <class Visit>
    void for_each_neighbour(NodeId node, Direction direction, Visit visit) const {
        const Record& own = network_[node];
        const auto look = [&](NodeId other) {
            const Record* record = network_.find_active(other);
            if (record != nullptr && record->phi == own.phi && !together(own, *record)) {
                visit(of(other, *record));
            }
        };
        if (direction == Direction::up) {
            network_.for_each_parent(node, look);
        } else {
            for (const GraphMove& move : network_.moves(node)) {
                look(move.target);
            }
        }
    }
    template <class Visit>
    void for_each_neighbour(Component component, Direction direction, Visit visit) const {
        for (std::size_t i = 0; i < size(component); ++i) {
            for_each_neighbour(member(component, i), direction, visit);
        }
    }

    // Makes the nodes one component of this order.
    Component form(std::vector<NodeId> nodes, std::int32_t order);
    // Makes the components one, of this order; the largest takes the others' nodes in, which are
    // returned.
    std::vector<NodeId> merge(const std::vector<Component>& components, std::int32_t order);
    // The nodes of a group are none any more.
    std::vector<NodeId> dissolve(Component group);

    void place_below_parents(NodeId node);
    void sort(std::vector<Component>& components, Direction direction) const; // in that direction
    // Moves components beyond `bound`, keeping their order among themselves. All other neighbours
    // in that direction are beyond it already.
    void move_beyond(std::vector<Component> components, std::int32_t bound, Direction direction);
    // Moves on whatever the components, as they stand now, have in their way.
    void push_on(const std::vector<Component>& components, Direction direction);
    // To be called when all is in order: hands out all orders afresh should they run out.
    void tidy();

    // Forgets all and takes over: components of all active nodes, none of which is `grouped` yet,
    // children first; spread() ends it.
    void clear();
    void adopt(std::span<const NodeId> nodes);
    void spread();

    // Whether the orders fit the moves (for checks).
    bool ordered() const;
    std::size_t memory() const;

private:
    struct Group {
        std::vector<NodeId> members;
        std::int32_t order = 0;
    };

    static constexpr std::uint32_t group_bit = 0x8000'0000;
    // Room left between a new node and its parents, and the bound beyond which all orders are
    // handed out afresh (far from the limits of the type, since one update goes on beyond it).
    static constexpr std::int32_t gap = 1 << 12;
    static constexpr std::int32_t order_limit = 1 << 30;

    static Component group_component(std::size_t group) {
        return Component{group_bit | static_cast<std::uint32_t>(group)};
    }
    static std::size_t group_of(Component component) { return key(component) & ~group_bit; }
    static NodeId alone(Component component) { return NodeId{key(component)}; }

    void set_order(Component component, std::int32_t order);
    std::size_t new_group();

    Network& network_;
    std::vector<Group> groups_;
    std::vector<std::size_t> free_groups_;
    std::vector<Component> adopted_;
    bool out_of_range_ = false;
};

// ComponentUpdate: keeps ComponentOrder up to date, move by move.
//
// A new move that goes against the order is looked at from both ends at once; the side that is
// exhausted first is moved out of the way, or reveals the cycle. What is looked at is bounded by
// the smaller of the two sides, and both by the orders of the move's ends. Two-way search after
// Bender, Fineman, Gilbert, Tarjan, "A new approach to incremental cycle detection and related
// problems" (ACM Trans. Algorithms 12, 2016), orders moved in between as by Pearce and Kelly (J.
// Exp. Algorithmics 11, 2007).

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

// Plies: shortest distances from any root, kept up to date. Distances run along the moves of active
// nodes; active nodes keep theirs in the record, those of leaves follow from their parents.

class Plies {
public:
    // What is further away than a record can say counts as unreachable too: one ply more than
    // 65,534 is this by itself, so that nothing need be done about it.
    static constexpr std::uint32_t unreachable = std::numeric_limits<decltype(Record::ply)>::max();

    explicit Plies(Network& network) : network_{network} {}

    std::uint32_t of(NodeId node) const;
    bool is_root(NodeId node) const { return roots_.contains(node); }

    // Roots count. Whether that made the node one, or made it one no longer.
    bool add_root(NodeId node);
    bool remove_root(NodeId node);
    const std::unordered_map<NodeId, std::uint32_t>& roots() const { return roots_; }

    // The node has just become active.
    void activate(NodeId node);
    // Something new leads to the active node; appends the nodes whose ply fell.
    void approach(NodeId node, std::uint32_t ply, std::vector<NodeId>& changed);
    // Something that led to the active nodes is gone; appends the nodes whose ply rose. The method
    // of Ramalingam and Reps (J. Algorithms 21, 1996) for distances of one a step.
    void recede(const std::vector<NodeId>& nodes, std::vector<NodeId>& changed);

private:
    void set(NodeId node, std::uint32_t ply);
    // From the parents, or 0 for a root.
    std::uint32_t measure(NodeId node) const;

    Network& network_;
    std::unordered_map<NodeId, std::uint32_t> roots_;
};

// Strong components by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion.
// Components come out children first: each before all that lead to it.

struct Visit {
    std::uint32_t index = 0; // 0 = not seen yet
    std::uint32_t low = 0;
};

// `mark(node)` gives the node's Visit&, which starts as Visit{}, and must stay in place until the
// next call of mark(); `inside(node)` says whether a target belongs to the part of the graph that
// is looked at; `emit(span of nodes)` takes a component.
template <class Mark, class Inside, class Emit>
void strong_components(const Network& network, std::span<const NodeId> starts, Mark mark,
                       Inside inside, Emit emit) {
    constexpr std::uint32_t done = std::numeric_limits<std::uint32_t>::max();
    struct Frame {
        NodeId node;
        std::uint32_t next; // move
    };
    std::vector<Frame> frames;
    std::vector<NodeId> open;
    std::uint32_t counter = 0;
    const auto enter = [&](NodeId node) {
        mark(node) = Visit{++counter, counter};
        open.push_back(node);
        for (const GraphMove& move : network.moves(node)) {
            network.prefetch_link(move.target);
        }
        frames.push_back({node, 0});
    };
    for (const NodeId start : starts) {
        if (mark(start).index != 0) {
            continue;
        }
        enter(start);
        while (!frames.empty()) {
            const NodeId node = frames.back().node;
            const auto moves = network.moves(node);
            if (frames.back().next < moves.size()) {
                const NodeId target = moves[frames.back().next++].target;
                if (!inside(target)) {
                    continue;
                }
                const Visit seen = mark(target);
                if (seen.index == 0) {
                    enter(target);
                } else if (seen.low != done) {
                    Visit& visit = mark(node);
                    visit.low = std::min(visit.low, seen.index);
                }
                continue;
            }
            frames.pop_back();
            const Visit visit = mark(node);
            if (visit.low == visit.index) {
                std::size_t first = open.size();
                do {
                    --first;
                    mark(open[first]).low = done;
                } while (open[first] != node);
                emit(std::span<const NodeId>{open}.subspan(first));
                open.resize(first);
            }
            if (!frames.empty()) {
                Visit& parent = mark(frames.back().node);
                if (visit.low < parent.low) { // never where the node's component is complete
                    parent.low = visit.low;
                }
            }
        }
    }
}

} // namespace adjourn::analysis
