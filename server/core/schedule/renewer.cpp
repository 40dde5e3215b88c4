#include "core/schedule/renewer.hpp"

#include "core/schedule/answer.hpp"
#include "core/schedule/renewal.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace adjourn::server {

void Renewer::take_up(AnalysisRun& run) {
    run.confirming = is_renewing(run);
    if (!run.confirming) {
        return;
    }
    Task& task = tasks_[run.record.id] = Task{};
    const std::vector<chess::Move> line = renewed_line(run);
    task.lines.push_back({});
    for (std::size_t i = 1; i < line.size(); ++i) {
        task.lines.emplace_back(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool Renewer::waits(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    return !run.has_graph() || engine == nullptr || !engine->identity ||
           engine->id != run.slot->engine().id || !scheduler_.why_idle(run).empty();
}

void Renewer::look_after(std::chrono::milliseconds most) {
    const auto until = health_.steady_now() + most;
    std::vector<AnalysisRun*> runs;
    for (const auto& run : queue_.runs()) {
        if (run->confirming && !waits(*run)) {
            runs.push_back(run.get());
        }
    }
    std::ranges::stable_sort(runs, {}, [](const AnalysisRun* run) {
        return std::tuple{-run->record.priority, run->spec.renewal.at};
    });
    for (AnalysisRun* run : runs) {
        if (!go_on(*run, tasks_[run->record.id], until)) {
            run->confirming = false;
            run->plan.stale = true;
            run->changed = true;
        }
    }
    std::erase_if(tasks_, [&](const auto& entry) {
        const AnalysisRun* run = queue_.find(entry.first);
        return run == nullptr || !run->confirming;
    });
}

bool Renewer::go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until) {
    std::erase_if(task.out,
                  [&](engine_bridge::JobId job) { return scheduler_.job(job) == nullptr; });
    while (health_.steady_now() < until) {
        if (task.next >= task.lines.size()) { // what carries them may be something else now
            if (!task.out.empty() || !std::exchange(task.asked, false)) {
                return !task.out.empty();
            }
            task.next = 0;
        }
        if (task.search == nullptr) {
            task.search = verdict_search(run, task.lines[task.next]);
        }
        if (task.search != nullptr && task.search->go_on()) {
            continue;
        }
        const auto verdict = task.search == nullptr ? std::nullopt : task.search->take();
        task.search.reset();
        if (verdict) {
            ask(run, task, *verdict);
        }
        // The answer itself first: the others when nothing that carries it is the other engine's.
        task.next = task.next == 0 && task.asked ? task.lines.size() : task.next + 1;
    }
    return true;
}

void Renewer::ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict) {
    for (const analysis::Carrier& carrier : verdict.carriers) {
        if (carrier.effort >= analysis::effort(run.record.limit)) {
            continue; // the new engine's own
        }
        auto next = verifier_.next_of(run, carrier);
        if (!next || next->out) {
            task.asked = task.asked || next;
            continue;
        }
        next->question.urgent = true;
        auto& path = next->question.line;
        path.insert(path.begin(), task.lines[task.next].begin(), task.lines[task.next].end());
        if (const auto job = scheduler_.ask_now(run, std::move(next->question), {})) {
            task.out.push_back(*job);
            task.asked = true;
            run.changed = true;
        }
    }
}

} // namespace adjourn::server
