#include "analysis/strategy.hpp"
#include "analysis/growth.hpp"

#include <algorithm>
#include <array>
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

using base::Field;

namespace {

constexpr std::array strategy_table{
    Field<StrategyParameters>{"move_distance", &StrategyParameters::move_distance, 0, 10'000,
                              "Width of the window at the root, cp"},
    Field<StrategyParameters>{"floor", &StrategyParameters::floor, 0, 10'000,
                              "No window is narrower, cp"},
    Field<StrategyParameters>{
        "floor_sigma", &StrategyParameters::floor_sigma, 0, 10,
        "Nor than so many σ of the engine's noise (25 cp until it is measured); absent = 0", false},
    Field<StrategyParameters>{"refine", &StrategyParameters::refine, 0, 200,
                              "Settle this refined depth and stop; 0 = go on without end"},
    Field<StrategyParameters>{"anchor_threads", &StrategyParameters::anchor_threads, -1, 512,
                              "Threads of the long search that stands beside the tree; absent = 0: "
                              "three quarters of the processes; -1: it is asked for in pieces",
                              false},
};

} // namespace

std::span<const Field<StrategyParameters>> strategy_fields() {
    return strategy_table;
}

} // namespace adjourn::analysis
