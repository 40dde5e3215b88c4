// Graphs: who needs which, and what gets into them. graphs_reading.cpp: how they are read.
#include "core/graphs/graphs.hpp"

#include "core/graphs/node_directives.hpp"

#include <algorithm>

namespace adjourn::server {

Graphs::Graphs(const storage::Store& store, Background& background, Options options,
               Listener listener)
    : store_{store}, background_{background}, options_{std::move(options)}, listener_{std::move(
                                                                                listener)} {}

void Graphs::know(const storage::EngineRecord& engine) {
    if (std::ranges::find(engines_, engine.id, &storage::EngineRecord::id) == engines_.end()) {
        engines_.push_back(engine);
    }
}

// A transient analysis serves a search in a GUI, whose limits change from move to move: it rests on
// all that is known.
GraphKey Graphs::key_of(const AnalysisRun& run) const {
    return {run.record.engine, accepted_engines(engines_, run.spec, run.record.engine),
            run.transient ? analysis::Basis{} : basis_of(run.record.limit, run.directives)};
}

bool Graphs::rests_elsewhere(const AnalysisRun& run) const {
    const GraphKey* key = run.awaited           ? &*run.awaited
                          : run.slot != nullptr ? &run.slot->key()
                                                : nullptr;
    return key != nullptr && *key != key_of(run);
}

void Graphs::join(AnalysisRun& run) {
    const GraphKey key = key_of(run);
    run.restart();
    if (const auto found = held_.find(key); found != held_.end()) {
        enter(run, found->second, std::nullopt);
    } else {
        run.awaited = key;
        loading_[key].waiting.push_back(&run);
        want(key);
    }
    let_go();
}

void Graphs::change(AnalysisRun& run) {
    wait_no_more(run);
    join(run);
}

void Graphs::leave(AnalysisRun& run) {
    wait_no_more(run);
    leave_slot(run);
}

void Graphs::wait_no_more(AnalysisRun& run) {
    if (run.awaited) {
        std::erase(loading_.at(*run.awaited).waiting, &run);
        run.awaited.reset();
    }
}

void Graphs::leave_slot(AnalysisRun& run) {
    if (run.slot != nullptr) {
        run.versions_before += run.slot->version() + 1;
        GraphSlot& slot = *std::exchange(run.slot, nullptr);
        const auto held = held_.find(slot.key());
        auto& members = held->second.members;
        std::erase(members, &run);
        slot.remove_root(run.root_node, members.empty());
        if (members.empty()) {
            std::erase(idle_, slot.key());
            idle_.push_back(slot.key());
        }
    }
    run.readable_again(); // what was not was of the graph it had
    run.seeds_read = false;
    run.seeds.clear(); // by the graph's own numbers of positions, as node_directives are
    run.node_directives.clear();
    run.plan.ready.clear();
}

// `root` is the analysis's root there, if that is counted already.
void Graphs::enter(AnalysisRun& run, Held& held, std::optional<analysis::NodeId> root) {
    if (run.slot != nullptr) {
        leave_slot(run);
    }
    GraphSlot& slot = *held.slot;
    held.members.push_back(&run);
    run.awaited.reset();
    run.slot = &slot;
    run.root_node = root ? *root : slot.graph().intern(run.root);
    if (!root) {
        slot.add_root(run.root_node);
        background_.in_slices(
            [shared = held.slot, node = run.root_node] { return !shared->count_on(node, 200); });
    }
    run.readable_again();
    rebuild_node_directives(run);
    if (!run.seeds_read) {
        reread_seeds(run);
    }
    listener_.ready(run);
}

void Graphs::let_go() {
    std::erase_if(idle_, [&](const GraphKey& key) {
        const auto found = held_.find(key);
        return found == held_.end() || !found->second.members.empty();
    });
    for (std::size_t i = 0; i + 1 < idle_.size();) {
        const auto found = held_.find(idle_[i]);
        if (found->second.slot->anything_out()) { // an answer comes
            ++i;
            continue;
        }
        listener_.gone(*found->second.slot);
        std::shared_ptr<GraphSlot> last = std::move(found->second.slot);
        held_.erase(found);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
        background_.let_go(std::move(last));
    }
}

void Graphs::apply(const analysis::Evaluation& fact) {
    for (auto& [key, held] : held_) {
        if (key.holds(fact.question.engine)) {
            listener_.changed(*held.slot, held.slot->apply(fact));
        }
    }
    for (auto& [key, loading] : loading_) {
        if (key.holds(fact.question.engine)) {
            loading.arrived.push_back(fact);
        }
    }
}

// ---- looking ----

const GraphSlot* Graphs::of_engine(analysis::EngineId engine) const {
    for (const auto& [key, held] : held_) {
        if (key.holds(engine) && key.accepted.empty()) {
            return held.slot.get();
        }
    }
    return nullptr;
}

analysis::QuestionState Graphs::state(const GraphSlot& slot, const NodeQuestion& asked) const {
    analysis::QuestionState state = slot.state(asked);
    for (const auto& [key, other] : held_) {
        if (state != analysis::QuestionState::open) {
            break;
        }
        if (other.slot.get() != &slot && key.engine == slot.engine().id) {
            const auto node = other.slot->graph().find(slot.graph().position(asked.node).packed());
            if (node) {
                state = other.slot->state({*node, asked.limit, asked.excluded});
            }
        }
    }
    return state;
}

std::string Graphs::failure_of(const GraphSlot& slot, const NodeQuestion& asked) const {
    std::string reason = slot.failure_of(asked);
    for (const auto& [key, other] : held_) {
        const auto node = other.slot->graph().find(slot.graph().position(asked.node).packed());
        if (reason.empty() && node && key.engine == slot.engine().id) {
            reason = other.slot->failure_of({*node, asked.limit, asked.excluded});
        }
    }
    return reason;
}

std::vector<GraphSlot*> Graphs::retry_due(analysis::UnixMs now, analysis::UnixMs steady) {
    std::vector<GraphSlot*> due;
    for (const auto& [key, held] : held_) {
        if (held.slot->retry_due(now, steady)) {
            due.push_back(held.slot.get());
        }
    }
    return due;
}

std::optional<analysis::Noise> Graphs::noise_of(analysis::EngineId engine) const {
    std::optional<analysis::Noise> best;
    for (const auto& [key, held] : held_) {
        if (key.engine != engine || !key.accepted.empty()) {
            continue;
        }
        const auto noise = held.slot->noise();
        if (noise && (!best || noise->pairs > best->pairs)) {
            best = noise;
        }
    }
    return best;
}

} // namespace adjourn::server
