#include "windows.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace adjourn::analysis {

std::unique_ptr<Rule> Windows::of_plies(int plies) const {
    return std::make_unique<Windows>(parameters_, narrowing_, plies);
}

const PlyPlan* Windows::planned(const Place& place) const {
    const auto& plan = parameters_.plan[place.mover == chess::Color::white ? 0 : 1];
    return plan.empty() ? nullptr
                        : &plan[std::min(static_cast<std::size_t>(place.ply), plan.size() - 1)];
}

int Windows::window(const Place& place) const {
    if (const PlyPlan* plan = planned(place)) {
        return plan->window;
    }
    const int distance = parameters_.move_distance;
    const double narrowed = distance * std::pow(narrowing_, std::max(0, place.ply - 1));
    return std::max(static_cast<int>(narrowed), std::min(parameters_.floor, distance));
}

bool Windows::scores(const Place& place, int rank, int gap) const {
    const PlyPlan* plan = planned(place);
    const bool too_many =
        plan != nullptr && plan->width != 0 && rank >= plan->width && place.ply >= 2;
    return !too_many && gap <= window(place);
}

bool Windows::never_widens() const {
    const auto most = [](const PlyPlan& ply) { return ply.width == 0 ? INT_MAX : ply.width; };
    const auto wider = [&](const PlyPlan& before, const PlyPlan& after) {
        return after.window > before.window || most(after) > most(before);
    };
    return std::ranges::all_of(parameters_.plan, [&](const auto& plan) {
        return std::ranges::adjacent_find(plan, wider) == plan.end();
    });
}

} // namespace adjourn::analysis
