// Strategy parameters as JSON: in requests, in answers, and in the store.
#pragma once

#include "analysis/strategy_parameters.hpp"
#include "http/error.hpp"
#include "http/json.hpp"

#include <nlohmann/json_fwd.hpp>

#include <expected>
#include <string>
#include <vector>

namespace adjourn::server {

// All that applies to the kind: {kind, move_distance, floor, refine}, the costs by name and the
// purse where costs are summed, the plan where there is one.
nlohmann::json strategy_json(const analysis::StrategyParameters& parameters);

// The inverse, for what stands in the store: any value gives parameters. What is missing or cannot
// be understood gets its default; what was wrong is appended to `findings`, with `path`.
analysis::StrategyParameters parse_strategy_json(const nlohmann::json& in, const std::string& path,
                                                 std::vector<std::string>& findings);

// strategy: missing fields as in `base`; a new kind begins with its own defaults, but keeps
// move_distance, floor and refine.
std::expected<analysis::StrategyParameters, http::Error>
read_strategy(http::ObjectReader reader, const analysis::StrategyParameters& base);

} // namespace adjourn::server
