// Scheduler, at the start of a tree: processes that would wait for answers search what the searches
// that are out let expect.
#include "analysis/foresight.hpp"
#include "work/scheduler.hpp"

#include <algorithm>

namespace adjourn::server {

namespace {

constexpr int levels_ahead = 4;
// A tree of fewer expanded positions for each process is at its start.
constexpr std::size_t positions_each = 4;

} // namespace

std::vector<analysis::Opinion> Scheduler::opinions(const EngineSlot& engine,
                                                   const GraphSlot& slot) const {
    std::vector<analysis::Opinion> result;
    for (const engine_bridge::ProcessStatus& process : engine.workers->status()) {
        const auto out = process.job ? out_.find(*process.job) : out_.end();
        if (out == out_.end() || out->second.slot != &slot || !process.line ||
            process.line->bound != chess::Bound::exact || !process.line->score) {
            continue;
        }
        const Asked& asked = out->second.info.asked;
        if (analysis::far_enough(asked.limit, process.line->depth, process.nodes, process.nps)) {
            result.push_back({asked.node, asked.limit, asked.excluded, process.line->pv.front(),
                              *process.line->score});
        }
    }
    return result;
}

// Reproducible engines are given work by the facts alone. `anchored` has guesses of its own.
bool Scheduler::looks_ahead(const EngineSlot& engine, const AnalysisRun& run) const {
    return engine.profile.count > 1 && !engine.profile.reproducible &&
           run.spec.strategy.kind != analysis::StrategyKind::anchored &&
           run.plan_size <= positions_each * engine.profile.count;
}

// Only for processes that have nothing to do at all: what is foreseen may prove needless.
void Scheduler::look_ahead(EngineSlot& engine) {
    const std::size_t processes = engine.profile.count;
    if (engine.workers->room() <= processes || room(engine) == 0) {
        return;
    }
    for (const auto& run : queue_.runs()) {
        if (!run->has_graph() || run->in_flight == 0 || run->finished || !run->planned ||
            run->record.profile != engine.profile.name || run->slot->engine().id != engine.id ||
            !looks_ahead(engine, *run) || !may_work(*run)) {
            continue;
        }
        attempt("looking ahead in analysis " +
                    std::to_string(static_cast<std::int64_t>(run->record.id)),
                *run, [&] { look_ahead(engine, *run); });
    }
}

void Scheduler::look_ahead(EngineSlot& engine, AnalysisRun& run) {
    const auto told = opinions(engine, *run.slot);
    if (told.empty()) {
        return;
    }
    const std::size_t processes = engine.profile.count;
    const int last = run.spec.strategy.refine == 0 ? deepest_refine : run.spec.strategy.refine;
    auto foreseen =
        analysis::foresee(planner_.request_at(run, run.refine), told,
                          std::min(last, run.refine + levels_ahead), positions_each * processes);
    for (analysis::Foreseen& next : foreseen) {
        if (engine.workers->room() <= processes || room(engine) == 0 || !may_work(run)) {
            break;
        }
        next.task.node = run.slot->graph().intern(next.position);
        if (planner_.open(run, {next.task.node, next.task.limit, next.task.excluded})) {
            submit(engine, run, std::move(next.task));
        }
    }
}

} // namespace adjourn::server
