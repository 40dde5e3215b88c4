#include "api/webhooks/webhook_observer.hpp"

#include "api/views/view.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using storage::AnalysisState;

namespace {

std::optional<WebhookNews::Best> told_best(const AnalysisRun& run) {
    const auto best = best_of(run);
    if (!best) {
        return std::nullopt;
    }
    const chess::Color turn = run.root.turn();
    const nlohmann::json scores{{"alpha", score_json(best->alpha, turn)},
                                {"idea", score_json(best->idea, turn)}};
    return WebhookNews::Best{
        chess::to_uci(run.root, best->move), chess::to_san(run.root, best->move),
        chess::to_text(turn == chess::Color::white ? best->alpha : -best->alpha), scores.dump()};
}

// "" = none.
std::string ending(AnalysisState before, AnalysisState now, bool further) {
    if (now == before && !(now == AnalysisState::settled && further)) {
        return "";
    }
    const bool ended = now == AnalysisState::settled || now == AnalysisState::exhausted ||
                       now == AnalysisState::failed;
    return ended ? word(now) : "";
}

} // namespace

void WebhookObserver::analysis_changed(const Core& core, const AnalysisRun& run) {
    const auto [found, first] = seen_.try_emplace(run.record.id);
    Seen& seen = found->second;
    if (first) {
        seen.fresh = run.record.created_at >= began_;
        seen.answers = run.usage.evaluations_new;
    }
    seen.fresh = seen.fresh || run.usage.evaluations_new != seen.answers;
    const Seen before = seen;
    seen.state = run.record.state;
    seen.settled = settled_level(run);
    seen.best = told_best(run);
    if (!seen.fresh) {
        return;
    }
    WebhookNews news;
    news.event = ending(before.state, seen.state, seen.settled > before.settled);
    if (news.event.empty()) {
        if (!before.best || !seen.best || before.best->uci == seen.best->uci) {
            return;
        }
        news.event = "best";
        news.before = before.best;
    }
    news.at = core.now();
    news.number = static_cast<std::int64_t>(run.record.id);
    news.name = run.record.name;
    news.state = word(run.record.state);
    news.reason = run.record.state_reason;
    news.settled = seen.settled;
    news.best = seen.best;
    tell_(news);
}

void WebhookObserver::analysis_removed(analysis::AnalysisId id) {
    seen_.erase(id);
}

} // namespace adjourn::server
