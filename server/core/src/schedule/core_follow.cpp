// Core, what another server has stored: it takes effect as if it had happened here.
#include "core/graphs/node_directives.hpp"
#include "core/schedule/core.hpp"

namespace adjourn::server {

using analysis::AnalysisId;

void Core::follow(std::vector<FollowedAnalysis> analyses, const std::vector<std::string>& findings,
                  std::vector<storage::EngineRecord> engines) {
    const HoldWatch::Hold hold{watch(), "follow"};
    graphs_.know(std::move(engines));
    health_.set_aside(findings);
    for (FollowedAnalysis& now : analyses) {
        attempt("following an analysis", [&] { follow(std::move(now)); });
    }
    tell_links();
    scheduler_.fill_soon();
}

void Core::follow(FollowedAnalysis now) {
    if (!now.stored) {
        if (AnalysisRun* run = queue_.find(now.id)) {
            forget(*run);
        }
        return;
    }
    const bool seeded = now.seeded;
    const auto [run, tree] = queue_.follow(std::move(now));
    if (follow_game(*run)) {
        scheduler_.fill_soon();
    } else if (run->slot == nullptr && !run->awaited) {
        if (run->record.engine != analysis::EngineId{}) {
            graphs_.join(*run);
        }
    } else if (graphs_.rests_elsewhere(*run)) {
        change_graph(*run);
    } else {
        if (seeded) {
            graphs_.reread_seeds(*run);
        }
        if (tree) {
            begin_again(*run);
        }
    }
    run->plan.planned = false; // it may have settled, or ended
}

void Core::follow(std::span<const std::pair<analysis::Evaluation, AnalysisId>> facts,
                  const std::vector<storage::UsageRecord>& spent) {
    const HoldWatch::Hold hold{watch(), "follow"};
    attempt("following facts", [&] {
        for (const auto& [fact, asked_by] : facts) {
            if (AnalysisRun* run = queue_.find(asked_by)) {
                run->asked.insert(fact.id);
            }
            graphs_.apply(fact);
        }
        for (const storage::UsageRecord& usage : spent) {
            if (AnalysisRun* run = queue_.find(usage.analysis)) {
                run->usage = usage;
                run->changed = true;
            }
        }
    });
    scheduler_.fill_soon();
}

} // namespace adjourn::server
