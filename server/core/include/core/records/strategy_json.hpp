// Strategy parameters as JSON: in requests, answers, exports and the store.
#pragma once

#include "analysis/strategy_parameters.hpp"
#include "core/records/setting_fields.hpp"

#include <array>

namespace adjourn::server {

// The members of a plan that differs by side, in the order of StrategyParameters::plan.
inline constexpr std::array<const char*, 2> plan_sides{"white", "black"};

// All that applies to the kind: {kind, move_distance, floor, refine}, its own numbers by name, the
// plan where there is one.
nlohmann::json strategy_json(const analysis::StrategyParameters& parameters);

// The inverse: missing fields as in `base`; a new kind begins with its own defaults, but keeps the
// numbers that every kind has. In the store a kind that is gone is `uniform`, and that is told.
analysis::StrategyParameters read_strategy(const base::JsonObject& reader,
                                           const analysis::StrategyParameters& base);

} // namespace adjourn::server
