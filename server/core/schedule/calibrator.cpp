#include "core/schedule/calibrator.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

namespace adjourn::server {

void Calibrator::look_after(std::chrono::milliseconds most) {
    fit();
    const auto until = health_.steady_now() + most;
    while (health_.steady_now() < until && (search_ != nullptr || begin())) {
        AnalysisRun* run = queue_.find(id_);
        const bool same = run != nullptr && run->slot == slot_ && run->plan.tree == tree_;
        if (same && search_->go_on()) {
            continue;
        }
        if (same) {
            run->said.emplace();
        }
        if (const auto verdict = same ? search_->take() : std::nullopt) {
            const Sure sure = sure_of(*run, of(*run), {}, *verdict);
            constexpr double most_cost = 1e6; // JSON has nothing infinite
            run->said =
                ToldAnswer{chess::to_uci(run->root, verdict->best), run->plan.nodes_used, sure.kind,
                           std::min(verdict->cost, most_cost), sure.confidence.chance};
        }
        search_.reset();
    }
}

// Whether there is an answer to look at. Where moves are left out it is one of another game.
bool Calibrator::begin() {
    for (const auto& run : queue_.runs()) {
        if (!run->said && run->plan.settled > 0 && !run->transient && run->has_graph() &&
            run->plan.tree.second.empty() && run->record.state == storage::AnalysisState::running) {
            search_ = verdict_search(*run, {});
            id_ = run->record.id;
            slot_ = run->slot;
            tree_ = run->plan.tree;
            if (search_ != nullptr) {
                return true;
            }
            run->said.emplace(); // there is none
        }
    }
    return false;
}

// By what is on record of all analyses: a few levels each.
void Calibrator::fit() {
    std::size_t levels = 0;
    for (const auto& run : queue_.runs()) {
        levels += run->snapshots.size();
    }
    if (std::exchange(levels_, levels) == levels) {
        return;
    }
    std::map<std::string, std::vector<analysis::Fate>> fates; // by the engine's name
    for (const auto& run : queue_.runs()) {
        const auto& all = run->snapshots;
        for (auto level = all.begin(); level != all.end(); ++level) {
            const auto& said = level->said;
            const auto later = std::find_if(level, all.end(), [&](const NotedSnapshot& other) {
                return said && other.nodes >= analysis::confidence_times * said->nodes &&
                       !other.best.empty() && other.engine == level->engine &&
                       other.same_rules(level->rules);
            });
            if (later != all.end()) {
                fates[level->engine].push_back(
                    {said->kind, said->cost, said->chance, later->best == said->best});
            }
        }
    }
    curves_.clear();
    for (const auto& [engine, of] : fates) {
        curves_.emplace(engine, std::make_shared<const analysis::Calibration>(of));
    }
}

Surety Calibrator::of(const AnalysisRun& run) const {
    static const auto built_in = std::make_shared<const analysis::Calibration>();
    Surety surety{built_in, ""};
    if (run.slot == nullptr) {
        return surety;
    }
    const std::string& engine = run.slot->engine().name;
    if (const auto found = curves_.find(engine); found != curves_.end()) {
        surety.calibration = found->second;
    }
    storage::SnapshotRecord present;
    present.data = run.plan.tree.first;
    const auto rules = NotedSnapshot{std::move(present)}.rules;
    for (const NotedSnapshot& level : std::views::reverse(run.snapshots)) {
        if (!level.best.empty() && level.engine == engine && level.same_rules(rules) &&
            analysis::confidence_times * level.nodes <= run.plan.nodes_used) {
            surety.before = run.plan.tree.second.empty() ? level.best : "";
            break;
        }
    }
    return surety;
}

} // namespace adjourn::server
