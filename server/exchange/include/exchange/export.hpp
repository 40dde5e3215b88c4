// Export: lines of an analysis as files.
#pragma once

#include "work/core.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// Where a PGN file says something of a move.
enum class CommentDensity : std::uint8_t {
    all,
    branches, // where there is a choice, and at the ends of lines
    leaves,   // at the ends of lines
    none,     // nowhere, notes by people neither
};

struct PgnOptions {
    bool from_game = false; // begins where the analysis's moves begin, with these moves
    CommentDensity comments = CommentDensity::all;
    bool nags = false;       // $6, $2, $4 by what a move loses (chess/winning_chances.hpp)
    bool arrows = false;     // [%cal] for the moves of a choice, the best one green
    std::size_t chapter = 0; // moves of a game at most, as chapters of a study; 0: one game
};

struct ExportLimits {
    int margin = 30;                 // cp behind the best move of each position
    std::size_t plies = 20;          // from the exported position
    std::size_t max_moves = 100'000; // in the whole file
    // This side has its best move alone, the other all within the margin: a repertoire.
    std::optional<chess::Color> one_sided{};
    PgnOptions pgn{};
};

// What a chapter of a lichess study holds (lila, Chapter.maxNodes), and chapters a study.
inline constexpr std::size_t most_in_study_chapter = 3'000;
inline constexpr std::size_t most_study_chapters = 64;

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
