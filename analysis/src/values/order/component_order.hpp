// ComponentOrder: the strong components of the moves of active nodes, each with an order. A move
// inside one φ-class from one component to another leads to a lower order; moves to another φ-class
// lead to a lower φ. So (φ, order) is an order in which everything can be solved. Which nodes make
// up a component is for ComponentUpdate to say.
#pragma once

#include "values/store/network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
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

    // Forgets all and takes over: components of all active nodes, children first; spread() ends it.
    void clear();
    void adopt(std::span<const NodeId> nodes);
    void spread();

    // Whether the orders fit the moves (for checks).
    bool ordered() const;
    std::size_t memory() const;

    // Precondition: spread() has ended what clear() began.
    template <class Self, class Image>
    static void pass(Self& self, Image& image) {
        if constexpr (Image::writes) {
            image.value(std::uint64_t{self.groups_.size()});
        } else {
            self.groups_.resize(image.count(sizeof(std::uint64_t)));
        }
        for (auto& group : self.groups_) {
            image.list(group.members);
            image.value(group.order);
        }
        image.list(self.free_groups_);
        image.value(self.out_of_range_);
    }

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

} // namespace adjourn::analysis
