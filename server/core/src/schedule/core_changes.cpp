// Core, what its observer is told: a few times a second, only what changed.
#include "core/schedule/core.hpp"

#include <algorithm>

namespace adjourn::server {

void Core::note_changed(const GraphSlot& slot, const std::vector<analysis::NodeId>& changed) {
    constexpr std::size_t most_kept = 1'000; // so many are told as "many"
    auto& nodes = changed_nodes_[&slot];
    if (nodes.size() > most_kept) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    if (nodes.size() <= most_kept) {
        nodes.insert(nodes.end(), changed.begin(), changed.end());
    }
}

Core::Links Core::links() const {
    Links links;
    for (const auto& run : queue_.runs()) {
        for (const Directive* link : links_in(run->directives)) {
            const Share& share = std::get<Share>(link->action);
            links.emplace(share.secret, Shown{run->record.id, share.file});
        }
    }
    return links;
}

void Core::tell_links() {
    Links now = links();
    if (now == told_links_) {
        return;
    }
    told_links_ = std::move(now);
    if (on_links) {
        on_links(told_links_);
    }
}

void Core::tell_changes() {
    if (!options_.observer) {
        for (const auto& run : queue_.runs()) {
            run->changed = false;
        }
        changed_nodes_.clear();
        return;
    }
    for (const auto& run : queue_.runs()) {
        attempt("telling what has changed", [&] { tell_changes(*run); });
    }
    changed_nodes_.clear();
    for (const auto& engine : engines_.all()) {
        if (engine->changed) {
            engine->changed = false;
            attempt("telling what has changed",
                    [&] { options_.observer->engine_changed(*this, *engine); });
        }
    }
}

void Core::tell_changes(AnalysisRun& run) {
    if (run.changed) {
        run.changed = false;
        options_.observer->analysis_changed(*this, run);
    }
    const auto found = changed_nodes_.find(run.slot);
    if (run.slot == nullptr || found == changed_nodes_.end() || found->second.empty()) {
        return;
    }
    std::vector<analysis::NodeId> nodes = found->second;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    options_.observer->nodes_changed(run, nodes);
}

} // namespace adjourn::server
