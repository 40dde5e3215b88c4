// Scheduler, who goes before whom: what is wanted now, then priority (decision 070).
#include "core/schedule/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace adjourn::server {

int Scheduler::rank(const Out& out) {
    return out.urgent ? std::numeric_limits<int>::max() : out.priority;
}

// A person may have given an analysis another one.
void Scheduler::note_priorities() {
    for (auto& [job, out] : out_) {
        const AnalysisRun* run = queue_.find(out.info.analysis);
        if (run != nullptr && run->record.priority != out.priority) {
            out.priority = run->record.priority;
            out.engine->dispatcher->set_priority(job, out.priority);
        }
    }
}

std::size_t Scheduler::lower_out(const EngineSlot& engine, int rank) const {
    return static_cast<std::size_t>(std::ranges::count_if(out_, [&](const auto& entry) {
        return entry.second.engine.get() == &engine && Scheduler::rank(entry.second) < rank;
    }));
}

std::vector<engine_bridge::JobId> Scheduler::in_the_way(const Since& since) {
    note_priorities();
    const analysis::UnixMs now = options_.steady();
    std::vector<engine_bridge::JobId> all;
    for (const auto& engine : engines_.all()) {
        std::vector<int> waiting;
        std::vector<std::tuple<int, analysis::UnixMs, engine_bridge::JobId>> searched;
        std::size_t free = engine->dispatcher->idle(engine->index);
        for (const auto& [job, out] : out_) {
            const auto found = since.find(job);
            if (out.engine != engine) {
                continue;
            }
            if (found == since.end()) {
                if (engine->dispatcher->waits(job)) {
                    waiting.push_back(rank(out));
                }
            } else if (found->second == out.stopped) {
                ++free; // soon
            } else if (const analysis::UnixMs lasted = now - found->second;
                       lasted >= std::max(long_in_the_way, 2 * out.stopped_after)) {
                searched.emplace_back(rank(out), lasted, job);
            }
        }
        std::ranges::sort(waiting, std::greater{});
        std::ranges::sort(searched); // the lowest, and of them what loses least
        for (std::size_t i = 0; i < searched.size() && free + i < waiting.size(); ++i) {
            const auto& [of, lasted, job] = searched[i];
            if (of >= waiting[free + i]) {
                break;
            }
            out_.at(job).stopped = since.at(job);
            out_.at(job).stopped_after = lasted;
            all.push_back(job);
        }
    }
    return all;
}

} // namespace adjourn::server
