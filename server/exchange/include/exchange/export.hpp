// Export: lines of an analysis as files.
#pragma once

#include "work/core.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::server {

struct ExportLimits {
    int margin = 30;                 // cp behind the best move of each position
    std::size_t plies = 20;          // from the exported position
    std::size_t max_moves = 100'000; // in the whole file
};

// All from the end of `line`, bounded by the limits: best alpha first, variations within the
// margin, each position worked out once. REQUIRES: run.slot. docs/measurements/formats-corpus.md
// describes the files.

// The main line is that of best alpha (docs/guide/import-export.md).
std::string export_pgn(const Core& core, const AnalysisRun& run,
                       const std::vector<chess::Move>& line, const ExportLimits& limits);
// A record a position that has moves: acd, acn, acs, bm, ce, dm, pv; from the side to move.
std::string export_epd(const Core& core, const AnalysisRun& run,
                       const std::vector<chess::Move>& line, const ExportLimits& limits);
// A Polyglot book, binary. The best move of a position weighs 10,000; ten centipawns behind it
// halve the weight, down to 1.
std::string export_polyglot(const AnalysisRun& run, const std::vector<chess::Move>& line,
                            const ExportLimits& limits);
std::uint16_t book_weight(chess::Score best, chess::Score score);
// The tree as JSON, nested, from White's side.
std::string export_json(const Core& core, const AnalysisRun& run,
                        const std::vector<chess::Move>& line, const ExportLimits& limits);

} // namespace adjourn::server
