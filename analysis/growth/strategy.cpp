#include "analysis/strategy.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::analysis {

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const Strategy* strategy : strategies()) {
        names.emplace_back(strategy->name());
    }
    return names;
}

const Strategy* find_strategy(std::string_view name) {
    const auto all = strategies();
    const auto found = std::ranges::find(all, name, &Strategy::name);
    return found == all.end() ? nullptr : *found;
}

const Strategy& strategy_of(std::string_view name) {
    const Strategy* found = find_strategy(name);
    assert(found != nullptr);
    return *found;
}

StrategyParameters default_parameters(std::string_view kind) {
    StrategyParameters result;
    result.kind = kind;
    for (const OwnNumber& number : strategy_of(kind).numbers()) {
        result.own.push_back(number.usual);
    }
    return result;
}

Plan make_plan(const PlanRequest& request) {
    assert(request.refine >= 1);
    return strategy_of(request.parameters.kind).plan(request);
}

} // namespace adjourn::analysis
