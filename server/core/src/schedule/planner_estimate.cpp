// Planner, how long an analysis will take.
#include "core/graphs/take_snapshot.hpp"
#include "core/schedule/planner.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::server {

namespace {

constexpr int levels_needed = 3; // from fewer, no growth can be told
constexpr int levels_compared = 4;

// Evaluations that the tree rested on when that level settled last; 0 if that is not on record.
double evaluations_at(const AnalysisRun& run, int level) {
    for (auto it = run.snapshots.rbegin(); it != run.snapshots.rend(); ++it) {
        if (it->refine == level && same_rules(it->data, run.plan.tree.first)) {
            return static_cast<double>(snapshot_evaluations(it->data));
        }
    }
    return 0;
}

} // namespace

// What share of its engine's turns the analysis has, by its place among those at work.
double Planner::share(const AnalysisRun& run) const {
    double mine = 0;
    double all = 0;
    for (const auto& other : queue_.runs()) {
        const bool competes = other->record.profile == run.record.profile &&
                              other->record.priority == run.record.priority &&
                              other->record.state == storage::AnalysisState::running;
        if (competes || other.get() == &run) {
            const double turns = 1.0 / static_cast<double>(other->out.place);
            all += turns;
            mine += other.get() == &run ? turns : 0;
        }
    }
    return mine / all;
}

std::optional<Planner::Remaining> Planner::remaining(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    const int level = settled_level(run);
    const int last = run.spec.strategy.refine;
    if (run.plan.finished || engine == nullptr || run.usage.evaluations_new == 0 || last == 0 ||
        level < levels_needed) {
        return std::nullopt;
    }
    const double now_used = evaluations_at(run, level);
    double slowest = 0;
    double fastest = 0;
    for (int i = level; i > std::max(1, level - levels_compared); --i) {
        const double before = evaluations_at(run, i - 1);
        const double growth = std::clamp(evaluations_at(run, i) / std::max(1.0, before), 1.1, 4.0);
        slowest = slowest == 0 ? growth : std::min(slowest, growth);
        fastest = std::max(fastest, growth);
    }
    const double seconds_each = static_cast<double>(run.ms_of_answers()) / 1000.0 /
                                static_cast<double>(run.usage.evaluations_new);
    const double at_once = static_cast<double>(engine->profile.count) * share(run);
    const auto seconds = [&](double growth) {
        // The level at work may have grown more than that already: the next ones begin from there.
        const double used = static_cast<double>(run.plan.evaluations_used);
        const double all = std::max(now_used * growth, used) * std::pow(growth, last - level - 1);
        return std::max(0.0, all - used) * seconds_each / at_once;
    };
    return Remaining{seconds(slowest), seconds(fastest)};
}

} // namespace adjourn::server
