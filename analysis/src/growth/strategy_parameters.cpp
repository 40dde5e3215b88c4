#include "analysis/strategy_parameters.hpp"

#include <algorithm>
#include <climits>

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
    Strategy{StrategyKind::interest, "interest", false, "dull moves cost more"},
    Strategy{StrategyKind::consistency, "consistency", false,
             "lines go on where searches disagree"},
    Strategy{StrategyKind::dropout, "dropout", false, "deviations from the best moves cost"},
    Strategy{StrategyKind::minmax, "minmax", false,
             "lines that matter least to the root's value cost most"},
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
    Field<Costs>{"per_ply", &Costs::per_ply, 0, 100, "What every move costs"},
    Field<Costs>{"per_cp", &Costs::per_cp, 0, 100, "What a centipawn behind the best move costs"},
    Field<Costs>{"growth", &Costs::growth, 1, 10, "Factor on per_cp for each ply from the second"},
    Field<Costs>{"per_rank", &Costs::per_rank, 0, 100, "Factor of log2(1 + rank)"},
    Field<Costs>{"spread", &Costs::spread, 0, 100,
                 "Factor of log2 Σ 2^(-gap · per_cp) over the moves known: choice costs"},
    Field<Costs>{"dullness", &Costs::dullness, 0, 100, "Factor of 100 / interest"},
    Field<Costs>{"carry", &Costs::carry, 0, 10,
                 "Share of what the moves tried before cost that a move pays on top"},
    Field<Costs>{"bonus", &Costs::bonus, 0, 100,
                 "Taken off, once for each threshold of inconsistency, at most twice"},
    Field<Costs>{"threshold", &Costs::threshold, 1, 10'000,
                 "Inconsistency that earns one bonus, cp"},
    Field<Costs>{"loosening", &Costs::loosening, 0, 10,
                 "Growth of the threshold a ply, as a share"},
    Field<Costs>{"shuffle", &Costs::shuffle, 0, 100,
                 "What a ply more costs that a move in a drawn shuffle counts for"},
    Field<Costs>{"step", &Costs::step, 0.01, 100, "Growth of the budget a level"},
    Field<Costs>{"horizon", &Costs::horizon, 1, 50, "Plies that a line may have, a level"},
    Field<Costs>{"other_side", &Costs::other_side, 0, 1,
                 "Weight of the side that does not deviate (level_budget in_turn)"},
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

std::string_view to_text(LevelBudget budget) {
    switch (budget) {
    case LevelBudget::per_side: return "per_side";
    case LevelBudget::joint: return "joint";
    case LevelBudget::in_turn: return "in_turn";
    }
    return "per_side";
}

bool has_anchor(StrategyKind kind) {
    return kind == StrategyKind::anchored || kind == StrategyKind::conspiracy;
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

std::span<const Field<Costs>> cost_fields() {
    return cost_table;
}

std::span<const Field<StrategyParameters>> strategy_fields() {
    return strategy_table;
}

StrategyParameters default_parameters(StrategyKind kind) {
    StrategyParameters result;
    result.kind = kind;
    Costs& costs = result.costs;
    switch (kind) {
    case StrategyKind::halving:
    case StrategyKind::uniform:
    case StrategyKind::anchored:
    case StrategyKind::conspiracy: break;
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

int window_at(const StrategyParameters& parameters, int ply, chess::Color mover) {
    const auto& plan = parameters.plan[mover == chess::Color::white ? 0 : 1];
    if (!plan.empty()) {
        return plan[std::min(static_cast<std::size_t>(ply), plan.size() - 1)].window;
    }
    return window_at(parameters, ply);
}

bool never_widens(const StrategyParameters& parameters) {
    const auto most = [](const PlyPlan& ply) { return ply.width == 0 ? INT_MAX : ply.width; };
    const auto wider = [&](const PlyPlan& before, const PlyPlan& after) {
        return after.window > before.window || most(after) > most(before);
    };
    return std::ranges::all_of(parameters.plan, [&](const auto& plan) {
        return std::ranges::adjacent_find(plan, wider) == plan.end();
    });
}

int window_at(const StrategyParameters& parameters, int ply) {
    const int distance = parameters.move_distance;
    const int halvings =
        parameters.kind == StrategyKind::uniform ? 0 : std::min(std::max(0, ply - 1), 30);
    return std::max(distance >> halvings, std::min(parameters.floor, distance));
}

} // namespace adjourn::analysis
