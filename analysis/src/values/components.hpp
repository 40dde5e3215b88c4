// Components: which positions can lead to each other (strong components of the moves of active
// nodes), and an order in which all others can be solved; both kept up to date move by move.
//
// A *unit* is a component. Each has an order, and a move inside one φ-class from one unit to
// another always leads to a lower order. (Moves to another φ-class lead to a lower φ.) A new move
// that goes against the order is looked at from both ends at once, and the side that is exhausted
// first is moved out of the way, or reveals the cycle: what is looked at is bounded by the smaller
// of the two sides. Two-way search as in Bender, Fineman, Gilbert, Tarjan, "A new approach to
// incremental cycle detection" (ACM Trans. Algorithms 12, 2016); orders with gaps as in Pearce and
// Kelly's algorithm.
#pragma once

#include "flat_map.hpp"
#include "network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace adjourn::analysis {

enum class Unit : std::uint32_t {};

class Components {
public:
    // A node alone is named by itself, a group by its number.
    static Unit unit(NodeId node, const Record& record) {
        return record.grouped ? group_unit(record.place) : Unit{index_of(node)};
    }
    static bool is_group(Unit unit) { return (static_cast<std::uint32_t>(unit) & group_bit) != 0; }

    explicit Components(Network& network) : network_{network} {}

    std::int32_t order(const Record& record) const {
        return record.grouped ? groups_[static_cast<std::size_t>(record.place)].order
                              : record.place;
    }
    bool together(const Record& a, const Record& b) const {
        return a.grouped && b.grouped && a.place == b.place;
    }
    // Of a group in the order that is natural to this run, of a node alone that node.
    std::vector<NodeId> members(Unit unit) const;

    // The node has just become active; none of its targets counts yet.
    void place(NodeId node);
    // The active node has a new move to an active node. Appends to `regrouped` nodes whose moves
    // may lie inside a component now and did not before.
    void link(NodeId source, NodeId target, std::vector<NodeId>& regrouped);
    // The node is no longer active, but still has the place that it had. Appends to `regrouped`
    // nodes whose moves may no longer lie inside a component.
    void unlink(NodeId node, std::vector<NodeId>& regrouped);

    // Forgets all and takes over: components of all active nodes, children first.
    void clear();
    void adopt(std::span<const NodeId> component);
    // To be called after the last adopt().
    void spread();

    // Whether the stored orders fit the moves (for checks).
    bool ordered() const;
    std::size_t memory() const;

private:
    struct Group {
        std::vector<NodeId> members;
        std::int32_t order = 0;
    };
    struct Search;

    static constexpr std::uint32_t group_bit = 0x8000'0000;
    // Room left between a new node and its parents, and the bound beyond which all orders are
    // handed out afresh (far from the limits of the type, since one update goes on beyond it).
    static constexpr std::int32_t gap = 1 << 12;
    static constexpr std::int32_t order_limit = 1 << 30;

    static Unit group_unit(std::int32_t group) {
        return Unit{group_bit | static_cast<std::uint32_t>(group)};
    }
    static std::size_t group_of(Unit unit) { return static_cast<std::uint32_t>(unit) & ~group_bit; }

    template <class Visit>
    void for_each_member(Unit unit, Visit visit) const;
    // Units of the same φ-class that lead to / are led to by the unit, more than once if they like.
    template <class Visit>
    void for_each_unit_above(Unit unit, Visit visit) const;
    template <class Visit>
    void for_each_unit_below(Unit unit, Visit visit) const;

    std::int32_t order(Unit unit) const;
    void set_order(Unit unit, std::int32_t order);
    void sort_by_order(std::vector<Unit>& units) const;
    void raise(std::vector<Unit> units, std::int32_t floor);
    void lower(std::vector<Unit> units, std::int32_t ceiling);
    void push_up(std::vector<Unit> units);
    void push_down(std::vector<Unit> units);
    void merge(const std::vector<Unit>& units, std::int32_t order, std::vector<NodeId>& regrouped);
    std::size_t new_group();
    void renumber();

    Network& network_;
    std::vector<Group> groups_;
    std::vector<std::size_t> free_groups_;
    std::vector<Unit> adopted_;
    bool out_of_range_ = false;
};

} // namespace adjourn::analysis
