// Directives: what people asked for in an analysis and did not take back, and what has come of it.
#pragma once

#include "api/views/view.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/graphs/node_directives.hpp"

#include <unordered_set>

namespace adjourn::server {

using Searched = std::unordered_set<chess::PackedPosition, chess::PackedPositionHash>;
// What the analysis's engine searches at this moment, in any process. The core's thread.
Searched searched_now(const Core& core, const AnalysisRun& run);

// Any thread. Of an analysis without a graph nothing has come yet. Reads from the store what is
// known of moves that are excluded. Shape: docs/api/reference.md, GET directives.
nlohmann::json directives_json(const RunReader& reader, const Searched& searched,
                               const storage::Store& store);

} // namespace adjourn::server
