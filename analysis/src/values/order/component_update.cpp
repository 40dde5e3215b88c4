#include "component_update.hpp"

#include "strong_components.hpp"
#include "values/store/flat_map.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::analysis {

namespace {

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

} // namespace

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

} // namespace adjourn::analysis
