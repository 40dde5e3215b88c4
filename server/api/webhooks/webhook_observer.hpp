// WebhookObserver: which changes of analyses are news for webhooks, the same as for the page's
// notifications: settled, another best move, stopped.
#pragma once

#include "api/webhooks/webhooks.hpp"
#include "core/schedule/core.hpp"

#include <functional>
#include <map>
#include <optional>

namespace adjourn::server {

class WebhookObserver : public Observer {
public:
    // `tell` is called on the core's thread. An analysis that was made before `began` (ms since
    // 1970) is no news until it has a new answer: it was told of before the program was started.
    WebhookObserver(std::function<void(const WebhookNews&)> tell, analysis::UnixMs began)
        : tell_{std::move(tell)}, began_{began} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override;
    void nodes_changed(const AnalysisRun&, const std::vector<analysis::NodeId>&) override {}
    void board_search_changed(const Core&, const BoardSearch&) override {}
    void engine_changed(const Core&, const EngineSlot&) override {}
    void analysis_removed(analysis::AnalysisId id) override;

private:
    struct Seen {
        storage::AnalysisState state = storage::AnalysisState::queued;
        int settled = 0;
        std::optional<WebhookNews::Best> best;
        bool fresh = true;         // something of it is news
        std::uint64_t answers = 0; // where it is not
    };

    std::function<void(const WebhookNews&)> tell_;
    analysis::UnixMs began_;
    std::map<analysis::AnalysisId, Seen> seen_;
};

} // namespace adjourn::server
