#include "components.hpp"

#include "strong_components.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace adjourn::analysis {

namespace {

std::uint32_t key(Unit unit) {
    return static_cast<std::uint32_t>(unit);
}

} // namespace

template <class Visit>
void Components::for_each_member(Unit unit, Visit visit) const {
    if (!is_group(unit)) {
        visit(NodeId{key(unit)});
        return;
    }
    for (const NodeId node : groups_[group_of(unit)].members) {
        visit(node);
    }
}

template <class Visit>
void Components::for_each_unit_above(Unit unit, Visit visit) const {
    for_each_member(unit, [&](NodeId node) {
        const std::uint8_t phase = network_[node].phase;
        network_.for_each_parent(node, [&](NodeId parent) {
            const Record& record = network_[parent];
            if (record.active() && record.phase == phase && this->unit(parent, record) != unit) {
                visit(this->unit(parent, record));
            }
        });
    });
}

template <class Visit>
void Components::for_each_unit_below(Unit unit, Visit visit) const {
    for_each_member(unit, [&](NodeId node) {
        const std::uint8_t phase = network_[node].phase;
        for (const GraphMove& move : network_.moves(node)) {
            const Record* record = network_.find_active(move.target);
            if (record != nullptr && record->phase == phase &&
                this->unit(move.target, *record) != unit) {
                visit(this->unit(move.target, *record));
            }
        }
    });
}

// One direction of the two-way search: all units from `start` that lie on the near side of `bound`.
struct Components::Search {
    const Components& components;
    bool upward;
    Unit goal;
    std::int32_t bound;
    std::vector<Unit> found;
    FlatSet seen;
    std::size_t next_unit = 0;
    std::size_t next_member = 0;
    std::size_t cost = 0;
    bool met = false;

    Search(const Components& of, Unit start, Unit end, bool up)
        : components{of}, upward{up}, goal{end}, bound{of.order(end)}, found{start} {
        seen.insert(key(start), {});
    }

    // Looks at the moves of one more node; false if there is none left.
    bool step() {
        if (next_unit == found.size()) {
            return false;
        }
        const Unit unit = found[next_unit];
        NodeId node{key(unit)};
        if (is_group(unit)) {
            const auto& members = components.groups_[group_of(unit)].members;
            node = members[next_member++];
            if (next_member == members.size()) {
                next_member = 0;
                ++next_unit;
            }
        } else {
            ++next_unit;
        }
        look(node, unit);
        return true;
    }

    void look(NodeId node, Unit from) {
        const Network& network = components.network_;
        const std::uint8_t phase = network[node].phase;
        if (upward) {
            network.for_each_parent(node, [&](NodeId parent) {
                ++cost;
                consider(parent, network.find_active(parent), phase, from);
            });
        } else {
            for (const GraphMove& move : network.moves(node)) {
                ++cost;
                consider(move.target, network.find_active(move.target), phase, from);
            }
        }
    }

    void consider(NodeId node, const Record* record, std::uint8_t phase, Unit from) {
        if (record == nullptr || record->phase != phase) {
            return;
        }
        const Unit unit = Components::unit(node, *record);
        if (unit == goal) {
            met = true;
            return;
        }
        const std::int32_t order = components.order(*record);
        if (unit != from && (upward ? order <= bound : order >= bound) &&
            seen.insert(key(unit), {}).second) {
            found.push_back(unit);
        }
    }
};

std::vector<NodeId> Components::members(Unit unit) const {
    std::vector<NodeId> result;
    for_each_member(unit, [&](NodeId node) { result.push_back(node); });
    return result;
}

std::int32_t Components::order(Unit unit) const {
    return is_group(unit) ? groups_[group_of(unit)].order : network_[NodeId{key(unit)}].place;
}

void Components::set_order(Unit unit, std::int32_t order) {
    out_of_range_ = out_of_range_ || order > order_limit || order < -order_limit;
    if (is_group(unit)) {
        groups_[group_of(unit)].order = order;
    } else {
        network_[NodeId{key(unit)}].place = order;
    }
}

void Components::sort_by_order(std::vector<Unit>& units) const {
    std::sort(units.begin(), units.end(),
              [&](Unit a, Unit b) { return order(a) != order(b) ? order(a) < order(b) : a < b; });
}

void Components::place(NodeId node) {
    std::int32_t lowest = gap;
    bool first = true;
    for_each_unit_above(Unit{index_of(node)}, [&](Unit above) {
        lowest = first ? order(above) : std::min(lowest, order(above));
        first = false;
    });
    network_[node].grouped = false;
    set_order(Unit{index_of(node)}, lowest - gap);
    if (out_of_range_) {
        renumber();
    }
}

void Components::link(NodeId source, NodeId target, std::vector<NodeId>& regrouped) {
    const Record& from = network_[source];
    const Record& to = network_[target];
    assert(from.active() && to.active() && from.phase >= to.phase);
    if (from.phase != to.phase || order(from) > order(to) || together(from, to)) {
        return;
    }
    const Unit low = unit(source, from);
    const Unit high = unit(target, to);
    Search up{*this, low, high, true};
    Search down{*this, high, low, false};
    bool up_ended = false;
    while (true) {
        if (up.cost <= down.cost) {
            if (!up.step()) {
                up_ended = true;
                break;
            }
        } else if (!down.step()) {
            break;
        }
    }
    Search& ended = up_ended ? up : down;
    std::vector<Unit> aside = std::move(ended.found);
    const std::int32_t bound = ended.bound;
    if (ended.met) {
        // The cycle: what lies on a way back, i.e. what has a neighbour towards the goal on one.
        sort_by_order(aside);
        if (up_ended) {
            std::reverse(aside.begin(), aside.end());
        }
        FlatSet on_way;
        on_way.insert(key(ended.goal), {});
        std::vector<Unit> cycle{ended.goal};
        std::vector<Unit> rest;
        for (const Unit unit : aside) {
            bool joins = false;
            const auto look = [&](Unit other) { joins = joins || on_way.contains(key(other)); };
            if (up_ended) {
                for_each_unit_above(unit, look);
            } else {
                for_each_unit_below(unit, look);
            }
            if (joins) {
                on_way.insert(key(unit), {});
                cycle.push_back(unit);
            } else {
                rest.push_back(unit);
            }
        }
        merge(cycle, bound, regrouped);
        aside = std::move(rest);
    }
    if (up_ended) {
        raise(std::move(aside), bound);
    } else {
        lower(std::move(aside), bound);
    }
    if (out_of_range_) {
        renumber();
    }
}

// Moves the units, which lead to what stands at `floor`, above it. None of them is led to by it.
void Components::raise(std::vector<Unit> units, std::int32_t floor) {
    if (units.empty()) {
        return;
    }
    sort_by_order(units);
    FlatSet own;
    for (const Unit unit : units) {
        own.insert(key(unit), {});
    }
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    for (const Unit unit : units) {
        for_each_unit_above(unit, [&](Unit above) {
            if (!own.contains(key(above))) {
                limit = std::min<std::int64_t>(limit, order(above));
            }
        });
    }
    const auto count = static_cast<std::int64_t>(units.size());
    const std::int64_t room = (limit - floor) / (count + 1);
    const std::int64_t most =
        std::max<std::int64_t>(1, std::min<std::int64_t>(gap, (1 << 24) / count));
    const auto step = static_cast<std::int32_t>(std::clamp<std::int64_t>(room, 1, most));
    std::int32_t order = floor;
    for (const Unit unit : units) {
        set_order(unit, order += step);
    }
    if (room < 1) {
        push_up(std::move(units));
    }
}

void Components::lower(std::vector<Unit> units, std::int32_t ceiling) {
    if (units.empty()) {
        return;
    }
    sort_by_order(units);
    std::reverse(units.begin(), units.end());
    FlatSet own;
    for (const Unit unit : units) {
        own.insert(key(unit), {});
    }
    std::int64_t limit = std::numeric_limits<std::int64_t>::min() / 2;
    for (const Unit unit : units) {
        for_each_unit_below(unit, [&](Unit below) {
            if (!own.contains(key(below))) {
                limit = std::max<std::int64_t>(limit, order(below));
            }
        });
    }
    const auto count = static_cast<std::int64_t>(units.size());
    const std::int64_t room = (ceiling - limit) / (count + 1);
    const std::int64_t most =
        std::max<std::int64_t>(1, std::min<std::int64_t>(gap, (1 << 24) / count));
    const auto step = static_cast<std::int32_t>(std::clamp<std::int64_t>(room, 1, most));
    std::int32_t order = ceiling;
    for (const Unit unit : units) {
        set_order(unit, order -= step);
    }
    if (room < 1) {
        push_down(std::move(units));
    }
}

// No room was left: whatever stands in the way moves on as well, lowest first.
void Components::push_up(std::vector<Unit> units) {
    using Entry = std::pair<std::int32_t, Unit>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const Unit unit : units) {
        queue.emplace(order(unit), unit);
    }
    while (!queue.empty()) {
        const auto [at, unit] = queue.top();
        queue.pop();
        if (at != order(unit)) {
            continue;
        }
        for_each_unit_above(unit, [&, at = at](Unit above) {
            if (order(above) <= at) {
                set_order(above, at + 1);
                queue.emplace(at + 1, above);
            }
        });
    }
}

void Components::push_down(std::vector<Unit> units) {
    using Entry = std::pair<std::int32_t, Unit>;
    std::priority_queue<Entry> queue;
    for (const Unit unit : units) {
        queue.emplace(order(unit), unit);
    }
    while (!queue.empty()) {
        const auto [at, unit] = queue.top();
        queue.pop();
        if (at != order(unit)) {
            continue;
        }
        for_each_unit_below(unit, [&, at = at](Unit below) {
            if (order(below) >= at) {
                set_order(below, at - 1);
                queue.emplace(at - 1, below);
            }
        });
    }
}

// The largest group takes the others in; only the others' moves, and moves to them, are regrouped.
void Components::merge(const std::vector<Unit>& units, std::int32_t order,
                       std::vector<NodeId>& regrouped) {
    const auto size = [&](Unit unit) {
        return is_group(unit) ? groups_[group_of(unit)].members.size() : 1;
    };
    const Unit largest = *std::max_element(units.begin(), units.end(),
                                           [&](Unit a, Unit b) { return size(a) < size(b); });
    std::size_t group = 0;
    std::vector<NodeId> joined;
    if (is_group(largest)) {
        group = group_of(largest);
    } else {
        group = new_group();
        joined.push_back(NodeId{key(largest)});
    }
    for (const Unit unit : units) {
        if (unit == largest) {
            continue;
        }
        for_each_member(unit, [&](NodeId node) { joined.push_back(node); });
        if (is_group(unit)) {
            groups_[group_of(unit)].members.clear();
            free_groups_.push_back(group_of(unit));
        }
    }
    groups_[group].members.insert(groups_[group].members.end(), joined.begin(), joined.end());
    set_order(group_unit(static_cast<std::int32_t>(group)), order);
    for (const NodeId node : joined) {
        Record& record = network_[node];
        record.grouped = true;
        record.place = static_cast<std::int32_t>(group);
    }
    for (const NodeId node : joined) {
        regrouped.push_back(node);
        network_.for_each_parent(node, [&](NodeId parent) {
            if (together(network_[parent], network_[node])) {
                regrouped.push_back(parent);
            }
        });
    }
}

std::size_t Components::new_group() {
    if (free_groups_.empty()) {
        groups_.emplace_back();
        return groups_.size() - 1;
    }
    const std::size_t group = free_groups_.back();
    free_groups_.pop_back();
    return group;
}

void Components::unlink(NodeId node, std::vector<NodeId>& regrouped) {
    Record& record = network_[node];
    assert(!record.active());
    if (!record.grouped) {
        return;
    }
    const auto group = static_cast<std::size_t>(record.place);
    record.grouped = false;
    const std::int32_t base = groups_[group].order;
    std::vector<NodeId> rest = std::move(groups_[group].members);
    groups_[group].members.clear();
    free_groups_.push_back(group);
    std::erase(rest, node);

    FlatMap<Visit> visits;
    for (const NodeId member : rest) {
        visits.insert(index_of(member), {});
    }
    std::vector<Unit> parts;
    std::int32_t order = base;
    std::vector<std::vector<NodeId>> components;
    strong_components(
        network_, rest, [&](NodeId member) -> Visit& { return *visits.find(index_of(member)); },
        [&](NodeId target) { return visits.contains(index_of(target)); },
        [&](std::span<const NodeId> component) {
            components.emplace_back(component.begin(), component.end());
        });
    for (const auto& component : components) { // children first
        if (component.size() == 1) {
            Record& alone = network_[component[0]];
            alone.grouped = false;
            alone.place = order;
            parts.push_back(Unit{index_of(component[0])});
        } else {
            const std::size_t part = new_group();
            groups_[part].members = component;
            for (const NodeId member : component) {
                network_[member].place = static_cast<std::int32_t>(part);
            }
            parts.push_back(group_unit(static_cast<std::int32_t>(part)));
        }
        set_order(parts.back(), order++);
    }
    push_up(std::move(parts));
    regrouped.insert(regrouped.end(), rest.begin(), rest.end());
    if (out_of_range_) {
        renumber();
    }
}

void Components::clear() {
    groups_.clear();
    free_groups_.clear();
    adopted_.clear();
}

void Components::adopt(std::span<const NodeId> component) {
    if (component.size() == 1) {
        network_[component[0]].grouped = false;
        adopted_.push_back(Unit{index_of(component[0])});
        return;
    }
    const std::size_t group = new_group();
    groups_[group].members.assign(component.begin(), component.end());
    for (const NodeId node : component) {
        network_[node].grouped = true;
        network_[node].place = static_cast<std::int32_t>(group);
    }
    adopted_.push_back(group_unit(static_cast<std::int32_t>(group)));
}

void Components::spread() {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, adopted_.size()));
    const auto step =
        static_cast<std::int32_t>(std::clamp<std::int64_t>((order_limit / 2) / count, 1, gap));
    std::int32_t order = 0;
    for (const Unit unit : adopted_) {
        set_order(unit, order += step);
    }
    adopted_ = {};
    out_of_range_ = false;
}

void Components::renumber() {
    std::vector<NodeId> active;
    for (std::uint32_t i = 0; i < network_.node_count(); ++i) {
        if (network_.find_active(NodeId{i}) != nullptr) {
            active.push_back(NodeId{i});
        }
    }
    std::vector<Visit> visits(network_.record_count());
    clear();
    strong_components(
        network_, active,
        [&](NodeId node) -> Visit& { return visits[network_.record_index(node)]; },
        [&](NodeId node) { return network_.find_active(node) != nullptr; },
        [&](std::span<const NodeId> component) { adopt(component); });
    spread();
}

bool Components::ordered() const {
    for (std::uint32_t i = 0; i < network_.node_count(); ++i) {
        const Record* from = network_.find_active(NodeId{i});
        if (from == nullptr) {
            continue;
        }
        for (const GraphMove& move : network_.moves(NodeId{i})) {
            const Record* to = network_.find_active(move.target);
            if (to != nullptr && to->phase == from->phase && !together(*from, *to) &&
                order(*to) >= order(*from)) {
                return false;
            }
        }
    }
    return true;
}

std::size_t Components::memory() const {
    std::size_t result =
        groups_.capacity() * sizeof(Group) + free_groups_.capacity() * sizeof(free_groups_[0]);
    for (const Group& group : groups_) {
        result += group.members.capacity() * sizeof(NodeId);
    }
    return result;
}

} // namespace adjourn::analysis
