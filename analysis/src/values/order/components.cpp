#include "components.hpp"

#include "strong_components.hpp"
#include "values/store/flat_map.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::analysis {

namespace {

using Direction = Units::Direction;

// One side of the two-way search: all units from `start` in one direction that do not lie beyond
// `goal`.
class Search {
public:
    Search(const Units& units, Unit start, Unit goal, Direction direction)
        : units_{units}, direction_{direction}, goal_{goal}, bound_{units.order(goal)}, found_{
                                                                                            start} {
        seen_.insert(key(start), {});
    }

    // Looks at one more node; false if there is none left.
    bool step() {
        if (next_unit_ == found_.size()) {
            return false;
        }
        const Unit unit = found_[next_unit_];
        const NodeId node = units_.member(unit, next_member_);
        if (++next_member_ == units_.size(unit)) {
            next_member_ = 0;
            ++next_unit_;
        }
        ++cost_;
        units_.for_each_neighbour(node, direction_, [&](Unit next) { consider(next); });
        return true;
    }

    std::size_t cost() const { return cost_; }
    Direction direction() const { return direction_; }
    Unit goal() const { return goal_; }
    bool met() const { return met_; }
    const std::vector<Unit>& found() const { return found_; } // the start first, without the goal

private:
    void consider(Unit unit) {
        ++cost_;
        if (unit == goal_) {
            met_ = true;
            return;
        }
        const std::int32_t order = units_.order(unit);
        const bool beyond = direction_ == Direction::up ? order > bound_ : order < bound_;
        if (!beyond && seen_.insert(key(unit), {}).second) {
            found_.push_back(unit);
        }
    }

    const Units& units_;
    Direction direction_;
    Unit goal_;
    std::int32_t bound_;
    std::vector<Unit> found_;
    FlatSet seen_;
    std::size_t next_unit_ = 0;
    std::size_t next_member_ = 0;
    std::size_t cost_ = 0;
    bool met_ = false;
};

struct Split {
    std::vector<Unit> cycle; // what lies on a way from the start to the goal, both included
    std::vector<Unit> rest;
};

// Nearest to the goal first, a unit lies on a way to it if a neighbour does.
Split split(const Units& units, const Search& search) {
    std::vector<Unit> sorted = search.found();
    units.sort(sorted, search.direction());
    std::reverse(sorted.begin(), sorted.end());
    FlatSet on_way;
    on_way.insert(key(search.goal()), {});
    Split result{{search.goal()}, {}};
    for (const Unit unit : sorted) {
        bool joins = false;
        units.for_each_neighbour(unit, search.direction(),
                                 [&](Unit next) { joins = joins || on_way.contains(key(next)); });
        if (joins) {
            on_way.insert(key(unit), {});
        }
        (joins ? result.cycle : result.rest).push_back(unit);
    }
    return result;
}

} // namespace

void Components::place(NodeId node) {
    units_.place_below_parents(node);
    units_.tidy();
}

std::vector<NodeId> Components::link(NodeId source, NodeId target) {
    const Record& from = network_[source];
    const Record& to = network_[target];
    assert(from.active() && to.active() && from.phase >= to.phase);
    if (from.phase != to.phase || units_.order(from) > units_.order(to) ||
        Units::together(from, to)) {
        return {};
    }
    const Unit low = Units::of(source, from);
    const Unit high = Units::of(target, to);
    Search up{units_, low, high, Direction::up};
    Search down{units_, high, low, Direction::down};
    const Search* ended = nullptr;
    while (ended == nullptr) {
        Search& cheaper = up.cost() <= down.cost() ? up : down;
        if (!cheaper.step()) {
            ended = &cheaper;
        }
    }
    const std::int32_t bound = units_.order(ended->goal());
    std::vector<NodeId> joined;
    if (!ended->met()) {
        units_.move_beyond(ended->found(), bound, ended->direction());
    } else {
        Split parts = split(units_, *ended);
        joined = units_.merge(parts.cycle, bound);
        units_.move_beyond(std::move(parts.rest), bound, ended->direction());
    }
    units_.tidy();
    return joined;
}

std::vector<NodeId> Components::unlink(NodeId node) {
    Record& record = network_[node];
    assert(!record.active());
    if (!record.grouped) {
        return {};
    }
    std::int32_t order = units_.order(record);
    std::vector<NodeId> rest = units_.dissolve(Units::of(node, record));
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
    std::vector<Unit> formed;
    formed.reserve(parts.size());
    for (std::vector<NodeId>& part : parts) {
        formed.push_back(units_.form(std::move(part), order++));
    }
    units_.push_on(formed, Direction::up);
    units_.tidy();
    return rest;
}

} // namespace adjourn::analysis
