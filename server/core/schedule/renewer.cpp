#include "core/schedule/renewer.hpp"

#include "core/schedule/answer.hpp"
#include "core/schedule/renewal.hpp"
#include "core/schedule/second_engine.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace adjourn::server {

void Renewer::take_up(AnalysisRun& run) {
    tasks_.erase(run.record.id); // it looked at the graph of before
    run.second_asked.reset();
    run.second_due = false;
    run.confirming = is_renewing(run);
    if (!run.confirming) {
        return;
    }
    Task& task = tasks_[run.record.id];
    const std::vector<chess::Move> line = renewed_line(run);
    task.lines.push_back({});
    for (std::size_t i = 1; i < line.size(); ++i) {
        task.lines.emplace_back(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool Renewer::waits(const AnalysisRun& run) const {
    const EngineSlot* engine = engines_.of(run);
    const EngineSlot* second = engines_.named(run.spec.second_engine);
    const bool starts = second != nullptr && !second->identity && second->problem.empty();
    return (run.second_due && starts) || !run.has_graph() || engine == nullptr ||
           !engine->identity || engine->id != run.slot->engine().id ||
           !scheduler_.why_idle(run).empty();
}

void Renewer::look_after(std::chrono::milliseconds most) {
    const auto until = health_.steady_now() + most;
    std::vector<AnalysisRun*> runs;
    for (const auto& run : queue_.runs()) {
        if ((run->confirming || run->second_due) && !waits(*run)) {
            runs.push_back(run.get());
        }
    }
    std::ranges::stable_sort(runs, {}, [](const AnalysisRun* run) {
        return std::tuple{-run->record.priority, run->spec.renewal.at};
    });
    for (AnalysisRun* run : runs) {
        const auto [at, of_second] = tasks_.try_emplace(run->record.id);
        if (of_second) {
            at->second.lines.emplace_back();
        }
        if (!go_on(*run, at->second, until)) {
            run->confirming = run->second_due = false;
            run->plan.stale = true;
            run->changed = true;
        }
    }
    std::erase_if(tasks_, [&](const auto& entry) {
        const AnalysisRun* run = queue_.find(entry.first);
        return run == nullptr || !(run->confirming || run->second_due);
    });
}

bool Renewer::go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until) {
    std::erase_if(task.out,
                  [&](engine_bridge::JobId job) { return scheduler_.job(job) == nullptr; });
    while (health_.steady_now() < until) {
        if (task.next >= task.lines.size()) { // what carries them may be something else now
            if (task.reading || !task.out.empty() || !std::exchange(task.asked, false)) {
                return task.reading || !task.out.empty();
            }
            task.next = 0;
            if (std::exchange(task.elsewhere, false)) {
                return true; // until the others' answers are there: with the next tick
            }
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
            run.confirming ? ask(run, task, *verdict) : ask_second(run, task, *verdict);
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
            if (next) {
                task.asked = task.elsewhere = true;
            }
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

// What it has answered, or had no answer to, is not asked again.
void Renewer::ask_second(AnalysisRun& run, Task& task, const analysis::Verdict& verdict) {
    const EngineSlot* second = second_engine_of(run, engines_);
    if (second == nullptr) {
        return;
    }
    const auto ask = [this, id = run.record.id,
                      slot = run.slot->weak_from_this()](const std::vector<SecondQuestion>& open) {
        if (const auto found = tasks_.find(id); found != tasks_.end()) {
            found->second.reading = false;
        }
        AnalysisRun* run = queue_.find(id);
        EngineSlot* second = run == nullptr ? nullptr : second_engine_of(*run, engines_);
        if (second == nullptr || run->slot != slot.lock().get()) {
            return;
        }
        for (const SecondQuestion& each : open) {
            scheduler_.ask_second(*second, *run, each.question);
        }
    };
    task.reading = true;
    beside_.read(
        [&store = store_, engine = second->id, ask,
         all = second_questions(run, run.root_node, verdict)]() -> std::function<void()> {
            const auto failures = store.failures(engine);
            auto open = all;
            std::erase_if(open, [&](const SecondQuestion& each) {
                const analysis::Question question{each.position.packed(), engine,
                                                  each.question.limit, each.question.excluded};
                return second_answer(store, engine, each) ||
                       std::ranges::find(failures, question, &storage::FailureRecord::question) !=
                           failures.end();
            });
            return [ask, open = std::move(open)] { ask(open); };
        },
        [ask](const std::string&) { ask({}); });
}

} // namespace adjourn::server
