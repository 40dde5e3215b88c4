#include "analysis/strategy_parameters.hpp"

#include <algorithm>

namespace adjourn::analysis {

using base::Field;

namespace {

struct Strategy {
    StrategyKind kind;
    std::string_view name;
    bool windowed;
    std::string_view meaning;
};

// In the order of StrategyKind.
constexpr std::array strategies{
    Strategy{StrategyKind::halving, "halving", true,
             "the window in which moves are followed halves with every ply"},
    Strategy{StrategyKind::dropout, "dropout", false, "deviations from the best moves cost"},
    Strategy{StrategyKind::uniform, "uniform", true, "the window stays as it is"},
    Strategy{
        StrategyKind::anchored, "anchored", true,
        "one search of the root that grows level by level, and the tree of halving that checks it"},
    Strategy{StrategyKind::conspiracy, "conspiracy", true,
             "one search of the root that grows, and searches of what its answer rests on"},
};

constexpr auto kinds = [] {
    std::array<StrategyKind, strategies.size()> all{};
    std::ranges::transform(strategies, all.begin(), &Strategy::kind);
    return all;
}();

static_assert(std::ranges::is_sorted(kinds));

const Strategy& strategy(StrategyKind kind) {
    return strategies.at(static_cast<std::size_t>(kind));
}

constexpr std::array cost_table{
    Field<Costs>{"per_ply", &Costs::per_ply, 0, 100, "What every move costs (dropout)"},
    Field<Costs>{"per_cp", &Costs::per_cp, 0, 100,
                 "What a centipawn behind the best move costs (dropout)"},
    Field<Costs>{"other_side", &Costs::other_side, 0, 1,
                 "Weight of the side that does not deviate (dropout)"},
};

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

std::span<const StrategyKind> strategy_kinds() {
    return kinds;
}

std::string_view to_text(StrategyKind kind) {
    return strategy(kind).name;
}

std::string_view meaning_of(StrategyKind kind) {
    return strategy(kind).meaning;
}

std::optional<StrategyKind> parse_strategy(std::string_view text) {
    const auto* const found = std::ranges::find(strategies, text, &Strategy::name);
    return found == strategies.end() ? std::nullopt : std::optional{found->kind};
}

bool windowed(StrategyKind kind) {
    return strategy(kind).windowed;
}

bool has_anchor(StrategyKind kind) {
    return kind == StrategyKind::anchored || kind == StrategyKind::conspiracy;
}

std::span<const Field<Costs>> cost_fields() {
    return cost_table;
}

std::span<const Field<StrategyParameters>> strategy_fields() {
    return strategy_table;
}

StrategyParameters default_parameters(StrategyKind kind) {
    StrategyParameters result;
    result.kind = kind;
    return result;
}

} // namespace adjourn::analysis
