#include "component_order.hpp"

#include "strong_components.hpp"
#include "values/store/flat_map.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace adjourn::analysis {

namespace {

int sign(ComponentOrder::Direction direction) {
    return direction == ComponentOrder::Direction::up ? 1 : -1;
}

} // namespace

void ComponentOrder::set_order(Component component, std::int32_t order) {
    out_of_range_ = out_of_range_ || order > order_limit || order < -order_limit;
    if (is_group(component)) {
        groups_[group_of(component)].order = order;
    } else {
        network_[alone(component)].place = order;
    }
}

std::size_t ComponentOrder::new_group() {
    if (free_groups_.empty()) {
        groups_.emplace_back();
        return groups_.size() - 1;
    }
    const std::size_t group = free_groups_.back();
    free_groups_.pop_back();
    return group;
}

Component ComponentOrder::form(std::vector<NodeId> nodes, std::int32_t order) {
    Component component{index_of(nodes[0])};
    if (nodes.size() == 1) {
        network_[nodes[0]].grouped = false;
    } else {
        const std::size_t group = new_group();
        for (const NodeId node : nodes) {
            network_[node].grouped = true;
            network_[node].place = static_cast<std::int32_t>(group);
        }
        groups_[group].members = std::move(nodes);
        component = group_component(group);
    }
    set_order(component, order);
    return component;
}

std::vector<NodeId> ComponentOrder::merge(const std::vector<Component>& components,
                                          std::int32_t order) {
    const Component largest =
        *std::max_element(components.begin(), components.end(),
                          [&](Component a, Component b) { return size(a) < size(b); });
    std::vector<NodeId> joined;
    const std::size_t group = is_group(largest) ? group_of(largest) : new_group();
    if (!is_group(largest)) {
        joined.push_back(alone(largest));
    }
    for (const Component component : components) {
        if (component == largest) {
            continue;
        }
        if (is_group(component)) {
            const std::vector<NodeId> nodes = dissolve(component);
            joined.insert(joined.end(), nodes.begin(), nodes.end());
        } else {
            joined.push_back(alone(component));
        }
    }
    for (const NodeId node : joined) {
        network_[node].grouped = true;
        network_[node].place = static_cast<std::int32_t>(group);
    }
    auto& members = groups_[group].members;
    members.insert(members.end(), joined.begin(), joined.end());
    set_order(group_component(group), order);
    return joined;
}

std::vector<NodeId> ComponentOrder::dissolve(Component group) {
    free_groups_.push_back(group_of(group));
    return std::exchange(groups_[group_of(group)].members, {});
}

void ComponentOrder::place_below_parents(NodeId node) {
    network_[node].grouped = false;
    bool first = true;
    std::int32_t lowest = gap;
    for_each_neighbour(node, Direction::up, [&](Component above) {
        lowest = first ? order(above) : std::min(lowest, order(above));
        first = false;
    });
    set_order(Component{index_of(node)}, lowest - gap);
}

void ComponentOrder::sort(std::vector<Component>& components, Direction direction) const {
    std::sort(components.begin(), components.end(), [&](Component a, Component b) {
        const std::int32_t of_a = sign(direction) * order(a);
        const std::int32_t of_b = sign(direction) * order(b);
        return of_a != of_b ? of_a < of_b : a < b;
    });
}

void ComponentOrder::move_beyond(std::vector<Component> components, std::int32_t bound,
                                 Direction direction) {
    if (components.empty()) {
        return;
    }
    sort(components, direction);
    FlatSet own;
    for (const Component component : components) {
        own.insert(key(component), {});
    }
    // Spread over the room before the next neighbour.
    const auto count = static_cast<std::int64_t>(components.size());
    std::int64_t room = (count + 1) * gap;
    for (const Component component : components) {
        for_each_neighbour(component, direction, [&](Component next) {
            if (!own.contains(key(next))) {
                room = std::min(room, sign(direction) * (std::int64_t{order(next)} - bound));
            }
        });
    }
    // A lot of components must not use up the range at once.
    const std::int64_t step = std::min(room / (count + 1), (std::int64_t{1} << 24) / count);
    std::int32_t order = bound;
    for (const Component component : components) {
        order += sign(direction) * static_cast<std::int32_t>(std::max<std::int64_t>(1, step));
        set_order(component, order);
    }
    if (step < 1) {
        push_on(components, direction);
    }
}

void ComponentOrder::push_on(const std::vector<Component>& components, Direction direction) {
    using Entry = std::pair<std::int32_t, Component>; // order as the direction counts
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const Component component : components) {
        queue.emplace(sign(direction) * order(component), component);
    }
    while (!queue.empty()) {
        const Entry entry = queue.top();
        queue.pop();
        if (entry.first != sign(direction) * order(entry.second)) {
            continue; // moved since
        }
        for_each_neighbour(entry.second, direction, [&](Component next) {
            if (sign(direction) * order(next) <= entry.first) {
                set_order(next, sign(direction) * (entry.first + 1));
                queue.emplace(entry.first + 1, next);
            }
        });
    }
}

void ComponentOrder::tidy() {
    if (!out_of_range_) {
        return;
    }
    clear();
    std::vector<Visit> visits(network_.record_count());
    const auto mark = [&](NodeId node) -> Visit& { return visits[network_.record_index(node)]; };
    const auto inside = [&](NodeId node) { return network_.find_active(node) != nullptr; };
    for (std::uint32_t i = 0; i < network_.node_count(); ++i) {
        const NodeId node{i};
        if (inside(node)) {
            strong_components(network_, std::span{&node, 1}, mark, inside,
                              [&](std::span<const NodeId> nodes) { adopt(nodes); });
        }
    }
    spread();
}

void ComponentOrder::clear() {
    groups_.clear();
    free_groups_.clear();
    adopted_.clear();
}

void ComponentOrder::adopt(std::span<const NodeId> nodes) {
    if (nodes.size() == 1) {
        network_[nodes[0]].grouped = false;
        adopted_.push_back(Component{index_of(nodes[0])});
    } else {
        adopted_.push_back(form({nodes.begin(), nodes.end()}, 0));
    }
}

void ComponentOrder::spread() {
    const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, adopted_.size()));
    const auto step =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(order_limit / 2 / count, 1, gap));
    std::int32_t order = 0;
    for (const Component component : adopted_) {
        set_order(component, order += step);
    }
    adopted_ = {};
    out_of_range_ = false;
}

bool ComponentOrder::ordered() const {
    for (std::uint32_t i = 0; i < network_.node_count(); ++i) {
        const Record* record = network_.find_active(NodeId{i});
        if (record == nullptr) {
            continue;
        }
        bool good = true;
        for_each_neighbour(NodeId{i}, Direction::down,
                           [&](Component below) { good = good && order(below) < order(*record); });
        if (!good) {
            return false;
        }
    }
    return true;
}

std::size_t ComponentOrder::memory() const {
    std::size_t result =
        groups_.capacity() * sizeof(Group) + free_groups_.capacity() * sizeof(free_groups_[0]);
    for (const Group& group : groups_) {
        result += group.members.capacity() * sizeof(NodeId);
    }
    return result;
}

} // namespace adjourn::analysis
