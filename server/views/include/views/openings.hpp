// Opening names (lichess-org/chess-openings, CC0), compiled in: by position and by search.
#pragma once

#include "graphs/analysis_run.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace adjourn::server {

// {"eco","name"} of the last named position on the way from the start over the root to the end of
// `line`; null where none is.
nlohmann::json opening_json(const AnalysisRun& run, const std::vector<chess::Move>& line);

// Openings whose name, ECO code or moves match; the closest first. [{"eco","name","pgn","uci"}].
nlohmann::json search_openings(std::string_view text, std::size_t limit);

} // namespace adjourn::server
