// FollowedAnalysis: an analysis as another server has stored it, read for one that only shows it.
#pragma once

#include "core/records/stored_analysis.hpp"

#include <optional>
#include <vector>

namespace adjourn::server {

struct FollowedAnalysis {
    analysis::AnalysisId id{};
    std::optional<StoredAnalysis> stored;      // none: it is gone, or there is no root to show
    std::vector<analysis::EvaluationId> asked; // where it may be new: all that it asked for
    bool seeded = false;                       // it got seeds
};

} // namespace adjourn::server
