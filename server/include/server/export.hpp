// Export: lines of an analysis as files.
#pragma once

#include "server/core.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace adjourn::server {

struct ExportLimits {
    int margin = 30;                 // cp behind the best move of each position
    std::size_t plies = 20;          // from the exported position
    std::size_t max_moves = 100'000; // in the whole file
};

// From the end of `line`: main line = best alpha, variations within the margin (DESIGN section 8,
// "PGN out").
std::string export_pgn(const Core& core, const AnalysisRun& run,
                       const std::vector<chess::Move>& line, const ExportLimits& limits);

} // namespace adjourn::server
