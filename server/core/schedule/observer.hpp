// Observer: told by the core what has changed, for whoever shows it.
#pragma once

#include "analysis/graph.hpp"
#include "storage/store.hpp"

#include <vector>

namespace adjourn::server {

class Core;
struct AnalysisRun;
struct EngineSlot;
struct BoardSearch;

// All is called on the core's thread and must not block; what is thrown is the core's trouble. What
// is given may be looked at until the call returns.
class Observer {
public:
    virtual ~Observer() = default;

    // A few times a second at most, of all that changed since the last time.
    virtual void analysis_changed(const Core& core, const AnalysisRun& run) = 0;
    // Positions of the analysis's graph whose value or moves changed; each once, ascending, never
    // none. The run has its graph.
    virtual void nodes_changed(const AnalysisRun& run,
                               const std::vector<analysis::NodeId>& nodes) = 0;
    // A few times a second at most; also when it has ended.
    virtual void board_search_changed(const Core& core, const BoardSearch& board) = 0;
    virtual void engine_changed(const Core& core, const EngineSlot& engine) = 0;
    // At once.
    virtual void analysis_removed(analysis::AnalysisId id) = 0;

protected:
    Observer() = default;
    Observer(const Observer&) = default;
    Observer& operator=(const Observer&) = default;
};

} // namespace adjourn::server
