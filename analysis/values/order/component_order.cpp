#include "analysis/values/order/component_order.hpp"

#include "analysis/values/store/containers.hpp"

#include <cassert>
#include <queue>
#include <utility>

namespace adjourn::analysis {

namespace {

int sign(ComponentOrder::Direction direction) {
    return direction == ComponentOrder::Direction::up ? 1 : -1;
}

using Direction = ComponentOrder::Direction;

// One side of the two-way search: all components from `start` in one direction that do not lie
// beyond `goal`.
class Search {
public:
    Search(const ComponentOrder& components, Component start, Component goal, Direction direction)
        : order_{components},
          direction_{direction}, goal_{goal}, bound_{components.order(goal)}, found_{start} {
        seen_.insert(key(start), {});
    }

    // Looks at one more node; false if there is none left.
    bool step() {
        if (next_unit_ == found_.size()) {
            return false;
        }
        const Component component = found_[next_unit_];
        const NodeId node = order_.member(component, next_member_);
        if (++next_member_ == order_.size(component)) {
            next_member_ = 0;
            ++next_unit_;
        }
        ++cost_;
        order_.for_each_neighbour(node, direction_, [&](Component next) { consider(next); });
        return true;
    }

    std::size_t cost() const { return cost_; }
    Direction direction() const { return direction_; }
    Component goal() const { return goal_; }
    bool met() const { return met_; }
    const std::vector<Component>& found() const {
        return found_;
    } // the start first, without the goal

private:
    void consider(Component component) {
        ++cost_;
        if (component == goal_) {
            met_ = true;
            return;
        }
        const std::int32_t order = order_.order(component);
        const bool beyond = direction_ == Direction::up ? order > bound_ : order < bound_;
        if (!beyond && seen_.insert(key(component), {}).second) {
            found_.push_back(component);
        }
    }

    const ComponentOrder& order_;
    Direction direction_;
    Component goal_;
    std::int32_t bound_;
    std::vector<Component> found_;
    FlatSet seen_;
    std::size_t next_unit_ = 0;
    std::size_t next_member_ = 0;
    std::size_t cost_ = 0;
    bool met_ = false;
};

struct Split {
    std::vector<Component> cycle; // what lies on a way from the start to the goal, both included
    std::vector<Component> rest;
};

// Nearest to the goal first, a component lies on a way to it if a neighbour does.
Split split(const ComponentOrder& components, const Search& search) {
    std::vector<Component> sorted = search.found();
    components.sort(sorted, search.direction());
    std::reverse(sorted.begin(), sorted.end());
    FlatSet on_way;
    on_way.insert(key(search.goal()), {});
    Split result{{search.goal()}, {}};
    for (const Component component : sorted) {
        bool joins = false;
        components.for_each_neighbour(component, search.direction(), [&](Component next) {
            joins = joins || on_way.contains(key(next));
        });
        if (joins) {
            on_way.insert(key(component), {});
        }
        (joins ? result.cycle : result.rest).push_back(component);
    }
    return result;
}

using Entry = std::pair<std::uint32_t, std::uint32_t>; // ply, node
using NearestFirst = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

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

void ComponentUpdate::place(NodeId node) {
    order_.place_below_parents(node);
    order_.tidy();
}

std::vector<NodeId> ComponentUpdate::link(NodeId source, NodeId target) {
    const Record& from = network_[source];
    const Record& to = network_[target];
    assert(from.active() && to.active() && from.phi >= to.phi);
    if (from.phi != to.phi || order_.order(from) > order_.order(to) ||
        ComponentOrder::together(from, to)) {
        return {};
    }
    const Component low = ComponentOrder::of(source, from);
    const Component high = ComponentOrder::of(target, to);
    Search up{order_, low, high, Direction::up};
    Search down{order_, high, low, Direction::down};
    const Search* ended = nullptr;
    while (ended == nullptr) {
        Search& cheaper = up.cost() <= down.cost() ? up : down;
        if (!cheaper.step()) {
            ended = &cheaper;
        }
    }
    const std::int32_t bound = order_.order(ended->goal());
    std::vector<NodeId> joined;
    if (!ended->met()) {
        order_.move_beyond(ended->found(), bound, ended->direction());
    } else {
        Split parts = split(order_, *ended);
        joined = order_.merge(parts.cycle, bound);
        order_.move_beyond(std::move(parts.rest), bound, ended->direction());
    }
    order_.tidy();
    return joined;
}

std::vector<NodeId> ComponentUpdate::unlink(NodeId node) {
    Record& record = network_[node];
    assert(!record.active());
    if (!record.grouped) {
        return {};
    }
    std::int32_t order = order_.order(record);
    std::vector<NodeId> rest = order_.dissolve(ComponentOrder::of(node, record));
    record.grouped = false;
    std::erase(rest, node);

    FlatMap<Visit> visits;
    for (const NodeId member : rest) {
        visits.insert(index_of(member), {});
    }
    std::vector<std::vector<NodeId>> parts; // children first
    strong_components(
        network_, rest, [&](NodeId member) -> Visit& { return *visits.find(index_of(member)); },
        [&](NodeId target) { return visits.contains(index_of(target)); },
        [&](std::span<const NodeId> part) { parts.emplace_back(part.begin(), part.end()); });
    std::vector<Component> formed;
    formed.reserve(parts.size());
    for (std::vector<NodeId>& part : parts) {
        formed.push_back(order_.form(std::move(part), order++));
    }
    order_.push_on(formed, Direction::up);
    order_.tidy();
    return rest;
}

std::uint32_t Plies::of(NodeId node) const {
    const Record* record = network_.find_active(node);
    return record != nullptr ? record->ply : measure(node);
}

std::uint32_t Plies::measure(NodeId node) const {
    if (is_root(node)) {
        return 0;
    }
    std::uint32_t nearest = unreachable;
    network_.for_each_parent(node, [&](NodeId parent) {
        const Record& record = network_[parent];
        if (record.active()) {
            nearest = std::min<std::uint32_t>(nearest, record.ply);
        }
    });
    return nearest == unreachable ? unreachable : nearest + 1;
}

bool Plies::add_root(NodeId node) {
    return ++roots_[node] == 1;
}

bool Plies::remove_root(NodeId node) {
    const auto found = roots_.find(node);
    assert(found != roots_.end());
    if (--found->second > 0) {
        return false;
    }
    roots_.erase(found);
    return true;
}

void Plies::set(NodeId node, std::uint32_t ply) {
    network_[node].ply = static_cast<decltype(Record::ply)>(ply);
}

void Plies::activate(NodeId node) {
    set(node, measure(node));
}

void Plies::approach(NodeId node, std::uint32_t ply, std::vector<NodeId>& changed) {
    if (ply >= network_[node].ply) {
        return;
    }
    set(node, ply);
    std::vector<NodeId> queue{node};
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const std::uint32_t below = network_[queue[next]].ply + 1;
        for (const GraphMove& move : network_.moves(queue[next])) {
            if (network_.find_active(move.target) != nullptr && below < network_[move.target].ply) {
                set(move.target, below);
                queue.push_back(move.target);
            }
        }
    }
    changed.insert(changed.end(), queue.begin(), queue.end());
}

void Plies::recede(const std::vector<NodeId>& nodes, std::vector<NodeId>& changed) {
    // Nearest first, so that whether a parent is lost is known before its children are looked at.
    NearestFirst suspects;
    FlatSet lost;
    std::vector<std::pair<NodeId, std::uint32_t>> before;
    for (const NodeId node : nodes) {
        suspects.emplace(network_[node].ply, index_of(node));
    }
    while (!suspects.empty()) {
        const auto [ply, index] = suspects.top();
        suspects.pop();
        const NodeId node{index};
        if (ply == unreachable || lost.contains(index) || (is_root(node) && ply == 0)) {
            continue;
        }
        bool held = false;
        network_.for_each_parent(node, [&, ply = ply](NodeId parent) {
            const Record& record = network_[parent];
            held = held || (record.active() && record.ply != unreachable &&
                            record.ply + 1u == ply && !lost.contains(index_of(parent)));
        });
        if (held) {
            continue;
        }
        lost.insert(index, {});
        before.emplace_back(node, ply);
        for (const GraphMove& move : network_.moves(node)) {
            const Record* target = network_.find_active(move.target);
            if (target != nullptr && target->ply == ply + 1) {
                suspects.emplace(target->ply, index_of(move.target));
            }
        }
    }

    for (const auto& [node, ply] : before) {
        set(node, unreachable);
    }
    NearestFirst queue;
    for (const auto& [node, ply] : before) {
        const std::uint32_t measured = measure(node);
        if (measured != unreachable) {
            queue.emplace(measured, index_of(node));
        }
    }
    while (!queue.empty()) {
        const auto [ply, index] = queue.top();
        queue.pop();
        if (ply >= network_[NodeId{index}].ply) {
            continue;
        }
        set(NodeId{index}, ply);
        for (const GraphMove& move : network_.moves(NodeId{index})) {
            if (lost.contains(index_of(move.target)) && ply + 1 < network_[move.target].ply) {
                queue.emplace(ply + 1, index_of(move.target));
            }
        }
    }
    for (const auto& [node, ply] : before) {
        if (network_[node].ply != ply) {
            changed.push_back(node);
        }
    }
}

} // namespace adjourn::analysis
