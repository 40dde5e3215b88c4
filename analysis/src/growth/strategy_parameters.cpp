#include "analysis/strategy_parameters.hpp"

#include <algorithm>

namespace adjourn::analysis {

namespace {

constexpr std::array<StrategyKind, 7> kinds{
    StrategyKind::halving, StrategyKind::interest, StrategyKind::consistency, StrategyKind::dropout,
    StrategyKind::minmax,  StrategyKind::uniform,  StrategyKind::anchored};

constexpr std::array<CostParameter, 14> parameters{{{"per_ply", &Costs::per_ply, 0, 100},
                                                    {"per_cp", &Costs::per_cp, 0, 100},
                                                    {"growth", &Costs::growth, 1, 10},
                                                    {"per_rank", &Costs::per_rank, 0, 100},
                                                    {"spread", &Costs::spread, 0, 100},
                                                    {"dullness", &Costs::dullness, 0, 100},
                                                    {"carry", &Costs::carry, 0, 10},
                                                    {"bonus", &Costs::bonus, 0, 100},
                                                    {"threshold", &Costs::threshold, 1, 10'000},
                                                    {"loosening", &Costs::loosening, 0, 10},
                                                    {"shuffle", &Costs::shuffle, 0, 100},
                                                    {"step", &Costs::step, 0.01, 100},
                                                    {"horizon", &Costs::horizon, 1, 50},
                                                    {"other_side", &Costs::other_side, 0, 1}}};

} // namespace

std::span<const StrategyKind> strategy_kinds() {
    return kinds;
}

std::string_view to_text(StrategyKind kind) {
    switch (kind) {
    case StrategyKind::halving: return "halving";
    case StrategyKind::interest: return "interest";
    case StrategyKind::consistency: return "consistency";
    case StrategyKind::dropout: return "dropout";
    case StrategyKind::minmax: return "minmax";
    case StrategyKind::uniform: return "uniform";
    case StrategyKind::anchored: return "anchored";
    }
    return "halving";
}

std::optional<StrategyKind> parse_strategy(std::string_view text) {
    const auto* const found = std::find_if(
        kinds.begin(), kinds.end(), [&](StrategyKind kind) { return to_text(kind) == text; });
    return found == kinds.end() ? std::nullopt : std::optional{*found};
}

bool windowed(StrategyKind kind) {
    return kind == StrategyKind::halving || kind == StrategyKind::uniform ||
           kind == StrategyKind::anchored;
}

std::string_view to_text(LevelBudget budget) {
    switch (budget) {
    case LevelBudget::per_side: return "per_side";
    case LevelBudget::joint: return "joint";
    case LevelBudget::in_turn: return "in_turn";
    }
    return "per_side";
}

std::optional<LevelBudget> parse_level_budget(std::string_view text) {
    for (const LevelBudget budget :
         {LevelBudget::per_side, LevelBudget::joint, LevelBudget::in_turn}) {
        if (to_text(budget) == text) {
            return budget;
        }
    }
    return std::nullopt;
}

std::span<const CostParameter> cost_parameters() {
    return parameters;
}

StrategyParameters default_parameters(StrategyKind kind) {
    StrategyParameters result;
    result.kind = kind;
    Costs& costs = result.costs;
    switch (kind) {
    case StrategyKind::halving:
    case StrategyKind::uniform:
    case StrategyKind::anchored: break;
    case StrategyKind::interest:
        costs.dullness = 0.8;
        costs.per_cp = 1.0 / 60;
        costs.carry = 1;
        break;
    case StrategyKind::consistency:
        costs.per_ply = 1;
        costs.per_cp = 1.0 / 20;
        costs.bonus = 1;
        costs.step = 0.01; // levels add plies; they buy no consistent position
        costs.shuffle = 0; // … nor a shuffle, which counts for more plies all the same
        break;
    case StrategyKind::dropout:
        costs.per_ply = 1;
        costs.per_cp = 1.0 / 12;
        result.level_budget = LevelBudget::in_turn;
        break;
    case StrategyKind::minmax:
        costs.per_ply = 0.25;
        costs.per_cp = 1.0 / 20;
        costs.spread = 1;
        result.level_budget = LevelBudget::joint;
        break;
    }
    return result;
}

int window_at(const StrategyParameters& parameters, int ply) {
    const int distance = parameters.move_distance;
    const int halvings =
        parameters.kind == StrategyKind::uniform ? 0 : std::min(std::max(0, ply - 1), 30);
    return std::max(distance >> halvings, std::min(parameters.floor, distance));
}

} // namespace adjourn::analysis
