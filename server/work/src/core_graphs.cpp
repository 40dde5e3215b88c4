// Core, which graph an analysis works on, and which are let go.
#include "work/core.hpp"

#include <algorithm>

namespace adjourn::server {

// A transient analysis serves a search in a GUI, whose limits change from move to move: it rests on
// all that is known.
GraphKey Core::key_of(const AnalysisRun& run) const {
    return {run.record.engine, accepted_engines(store_, run.spec, run.record.engine),
            run.transient ? analysis::Basis{} : basis_of(run.record.limit, run.directives)};
}

// Whether the analysis has a graph, or waits for one, and ought to have another.
bool Core::rests_elsewhere(const AnalysisRun& run) const {
    const GraphKey* key = run.slot != nullptr ? &run.slot->key()
                          : run.awaited       ? &*run.awaited
                                              : nullptr;
    return key != nullptr && *key != key_of(run);
}

// One that nobody needs is kept, for whoever comes back; the older ones go.
void Core::let_go_of_idle_graphs() {
    std::erase_if(idle_, [&](const GraphKey& key) {
        const auto found = slots_.find(key);
        return found == slots_.end() || std::ranges::any_of(runs_, [&](const auto& run) {
                   return run->slot == found->second.get();
               });
    });
    for (std::size_t i = 0; i + 1 < idle_.size();) {
        const auto found = slots_.find(idle_[i]);
        const bool answer_comes = std::ranges::any_of(
            out_, [&](const auto& out) { return out.second.slot == found->second.get(); });
        if (answer_comes) {
            ++i;
            continue;
        }
        for (const auto& engine : engines_) {
            if (engine->slot == found->second.get()) {
                engine->slot = nullptr;
            }
        }
        changed_nodes_.erase(found->second.get());
        std::shared_ptr<GraphSlot> last = std::move(found->second);
        slots_.erase(found);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
        if (options_.elsewhere) { // to free a large graph takes long
            options_.elsewhere([last = std::move(last)]() mutable { last.reset(); });
        }
    }
    for (const auto& engine : engines_) {
        for (const auto& [key, slot] : slots_) {
            if (engine->slot == nullptr && engine->id == key.engine && key.accepted.empty()) {
                engine->slot = slot.get();
            }
        }
    }
}

std::optional<analysis::Noise> Core::noise_of(const EngineSlot& engine) const {
    std::optional<analysis::Noise> best;
    for (const auto& [key, slot] : slots_) {
        if (key.engine != engine.id || !key.accepted.empty()) {
            continue;
        }
        const auto noise = slot->noise();
        if (noise && (!best || noise->pairs > best->pairs)) {
            best = noise;
        }
    }
    return best;
}

} // namespace adjourn::server
