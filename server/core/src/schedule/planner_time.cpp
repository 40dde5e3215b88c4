// Planner, what ends at a time: no search is begun that would most likely run on for long after it.
// The long searches of `anchored` are as large as all before them.
#include "core/schedule/planner.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::server {

namespace {

// What was spent, and what all that is out will cost if it costs as much as the others did.
double engine_seconds(const AnalysisRun& run) {
    const auto paid = static_cast<double>(run.out.paid.engine_ms) / 1000.0;
    const double spent = static_cast<double>(run.engine_ms()) / 1000.0 - paid;
    const double answers =
        static_cast<double>(std::max<std::uint64_t>(1, run.usage.evaluations_new));
    return spent + std::max(paid, spent * static_cast<double>(run.out.in_flight) / answers);
}

// Milliseconds of a process for each node, or each evaluation; nullopt: too little was searched.
std::optional<double> pace(const AnalysisRun& run, bool of_nodes) {
    constexpr std::uint64_t least_ms = 1'000;
    const std::uint64_t searched = of_nodes ? run.usage.nodes : run.usage.evaluations_new;
    const std::uint64_t ms = of_nodes ? run.usage.engine_ms : run.ms_of_answers();
    return ms < least_ms || searched == 0
               ? std::nullopt
               : std::optional{static_cast<double>(ms) / static_cast<double>(searched)};
}

// Milliseconds of all processes together that what is out will most likely still take.
double out(const AnalysisRun& run) {
    const bool nodes = run.record.limit.kind == analysis::Limit::Kind::nodes;
    const double each = pace(run, nodes).value_or(0);
    return nodes ? each * static_cast<double>(run.out.nodes_to_pay())
                 : std::max(0.0, each * static_cast<double>(run.out.in_flight) -
                                     static_cast<double>(run.out.paid.engine_ms));
}

} // namespace

bool Planner::time_is_up(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    return (budget.engine_seconds && engine_seconds(run) >= *budget.engine_seconds) ||
           (budget.until && clock_() >= *budget.until);
}

std::size_t Planner::processes_of(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    return engine == nullptr ? 1 : std::max<std::size_t>(1, engine->profile.count);
}

// Milliseconds that each process may go on with this analysis until a moment after what is out,
// when all get the same. What is out was begun so that it ends by then, and a part of it is done.
double Planner::left_until(const AnalysisRun& run, analysis::UnixMs end) const {
    const auto processes = static_cast<double>(processes_of(run));
    const double left = std::max(0.0, static_cast<double>(end - clock_()));
    const double taken = std::min(out(run), left * static_cast<double>(run.out.in_flight));
    return std::max(0.0, processes * left - taken) / processes;
}

std::optional<double> Planner::budget_left(const AnalysisRun& run) const {
    const Budget& budget = run.spec.budget;
    std::optional<double> left;
    if (budget.engine_seconds) {
        const double spent = static_cast<double>(run.engine_ms()) + out(run);
        left = std::max(0.0, 1'000 * *budget.engine_seconds - spent) /
               static_cast<double>(processes_of(run));
    }
    if (budget.until) {
        const double until = left_until(run, *budget.until);
        left = std::min(left.value_or(until), until);
    }
    return left;
}

std::optional<double> Planner::hours_left(const AnalysisRun& run) const {
    const auto end = hours_end(run);
    return end ? std::optional{left_until(run, *end)} : std::nullopt;
}

std::optional<analysis::UnixMs> Planner::hours_end(const AnalysisRun& run) const {
    if (!run.spec.window) {
        return std::nullopt;
    }
    constexpr analysis::UnixMs minute = 60'000;
    const analysis::UnixMs now = clock_();
    return now - now % minute + minute * run.spec.window->minutes_left(local_minute_of_day(now));
}

std::optional<std::uint64_t> Planner::nodes_in_time(const AnalysisRun& run) const {
    auto left = budget_left(run);
    if (const auto hours = hours_left(run)) {
        left = std::min(left.value_or(*hours), *hours);
    }
    const auto each = pace(run, true);
    return left && each ? std::optional{static_cast<std::uint64_t>(*left / *each)} : std::nullopt;
}

bool Planner::fits(const AnalysisRun& run, const analysis::Limit& limit,
                   std::optional<double> left) const {
    if (!left || (limit == run.record.limit && !run.transient)) {
        return true;
    }
    if (limit.kind == analysis::Limit::Kind::movetime) {
        return static_cast<double>(limit.amount) <= *left;
    }
    const bool nodes = limit.kind == analysis::Limit::Kind::nodes;
    const auto each = pace(run, nodes);
    const double many =
        nodes ? static_cast<double>(limit.amount)
              : std::exp2(analysis::effort(limit) - analysis::effort(run.record.limit));
    return !each || many * *each <= *left;
}

bool Planner::fits_in_hours(const AnalysisRun& run, const analysis::Limit& limit) const {
    return fits(run, limit, hours_left(run));
}

} // namespace adjourn::server
