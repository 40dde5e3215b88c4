// What PGN has besides moves: tags, and the engine's comments.
#pragma once

#include "chess/game_tree.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/export/export_tree.hpp"

#include <string>
#include <vector>

namespace adjourn::server {

// Players and event as the analysis has them, opening, engine and settings. Unknown ones are not
// there. On the core's thread.
std::vector<chess::PgnTag> export_tags(const RunView& run, const std::vector<chess::Move>& line,
                                       bool from_game);

// Into those of a person's game, which stay as they are where they say anything. What an export
// said of engine and analysis is said anew.
void add_tags(std::vector<chess::PgnTag>& tags, const std::vector<chess::PgnTag>& more);

// EngineComments: scores and what belongs to them, into a game that has the moves of a tree.

// In comments of their own, the last ones behind each move; NAGs behind those that are there,
// unless one of their kind is. `path` leads to where the tree begins; `remark` is said there, too.
// Reads the store; any thread.
void add_engine_comments(chess::AnnotatedGame& game, const std::vector<chess::Move>& path,
                         const ExportTree& tree, const std::string& remark,
                         const PgnOptions& options, const storage::Store& store);

} // namespace adjourn::server
