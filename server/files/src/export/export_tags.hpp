// The tags of an export.
#pragma once

#include "chess/annotated_game.hpp"
#include "core/graphs/analysis_run.hpp"

#include <vector>

namespace adjourn::server {

// Players and event as the analysis has them, opening, engine and settings. Unknown ones are not
// there. On the core's thread.
std::vector<chess::PgnTag> export_tags(const AnalysisRun& run, const std::vector<chess::Move>& line,
                                       bool from_game);

// Into those of a person's game, which stay as they are where they say anything. What an export
// said of engine and analysis is said anew.
void add_tags(std::vector<chess::PgnTag>& tags, const std::vector<chess::PgnTag>& more);

} // namespace adjourn::server
