// Planner, more for an analysis that has ended, or would end.
#include "core/schedule/planner.hpp"

#include <algorithm>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

using Refused = std::unexpected<WorkError>;

Refused refused(std::string why) {
    return Refused{{WorkError::Kind::futile_more, std::move(why)}};
}

} // namespace

std::expected<AnalysisPatch, WorkError> Planner::extended(const AnalysisRun& run,
                                                          const Extension& more) const {
    using Kind = Extension::Kind;
    const AnalysisState state = run.record.state;
    const std::string& reason = run.record.state_reason;
    if (state == AnalysisState::failed) {
        return refused("the analysis has failed: " + reason + "; resume it to try again");
    }
    const bool settled = state == AnalysisState::settled;
    if (settled && !reason.empty() && reason != clear_lead) {
        return refused("nothing more is to be found: " + reason);
    }
    AnalysisPatch patch;
    Budget budget = run.spec.budget;
    analysis::StrategyParameters strategy = run.spec.strategy;
    const std::uint64_t positions = expanded_positions(run);
    const std::uint64_t nodes = run.nodes();
    const double seconds = static_cast<double>(run.engine_ms()) / 1000.0;
    const bool ended = settled || state == AnalysisState::exhausted;
    if (ended) { // the rest of a budget may be too small for the next search, too
        const auto lift = [&](auto& limit, auto used, bool small) {
            if (limit && (small || *limit <= used)) {
                limit.reset();
            }
        };
        lift(budget.positions, positions, false);
        lift(budget.nodes, nodes, run.out.spent);
        lift(budget.engine_seconds, seconds, run.out.spent);
        lift(budget.until, clock_(), run.out.spent);
    }
    if (settled) {
        strategy.refine = 0;
        patch.stop = run.spec.stop;
        patch.stop->lead = reason == clear_lead ? 0 : patch.stop->lead;
    }
    const auto grow = [&](auto& limit, auto used) {
        using Number = std::decay_t<decltype(*limit)>;
        const Number had = limit.value_or(0);
        limit = (ended ? std::max<Number>(had, used) : had) + static_cast<Number>(more.amount);
    };
    switch (more.kind) {
    case Kind::hours: {
        if (!ended && !budget.engine_seconds && !budget.until) {
            return refused("the analysis has no limit of time that could grow");
        }
        const double hour = 3'600;
        if (budget.engine_seconds || !budget.until) {
            const double had = budget.engine_seconds.value_or(seconds);
            budget.engine_seconds = (ended ? std::max(had, seconds) : had) +
                                    more.amount * hour * static_cast<double>(processes_of(run));
        }
        if (budget.until) {
            *budget.until += static_cast<analysis::UnixMs>(more.amount * hour * 1000);
        }
        break;
    }
    case Kind::until: {
        const auto moment = static_cast<analysis::UnixMs>(more.amount);
        if (!ended && (!budget.until || moment <= *budget.until)) {
            return refused("the analysis goes on until then, or longer");
        }
        budget.until = moment;
        break;
    }
    case Kind::levels: {
        const int from = ended ? settled_level(run) : strategy.refine;
        if (!ended && strategy.refine == 0) {
            return refused("the analysis has no last level: it goes on until it is stopped");
        }
        strategy.refine = from + static_cast<int>(more.amount);
        if (strategy.refine > deepest_refine) {
            return refused("the analysis is at level " + std::to_string(from) +
                           "; there are no more than " + std::to_string(deepest_refine));
        }
        break;
    }
    case Kind::positions:
        if (!ended && !budget.positions) {
            return refused("the analysis has no limit of positions that could grow");
        }
        grow(budget.positions, positions);
        break;
    case Kind::nodes:
        if (!ended && !budget.nodes) {
            return refused("the analysis has no limit of nodes that could grow");
        }
        grow(budget.nodes, nodes);
        break;
    }
    for (const base::Field<Budget>& field : budget_fields) {
        if (value_of(field, budget).value_or(field.most) > field.most) {
            return refused("budget." + std::string{field.name} + " would be more than its most, " +
                           std::to_string(static_cast<std::int64_t>(field.most)));
        }
    }
    patch.budget = budget;
    patch.strategy = strategy;
    return patch;
}

} // namespace adjourn::server
