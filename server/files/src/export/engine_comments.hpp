// EngineComments: scores and what belongs to them, into a game that has the moves of a tree.
#pragma once

#include "files/export/export_tree.hpp"

#include <string>
#include <vector>

namespace adjourn::server {

// In comments of their own, the last ones behind each move; NAGs behind those that are there,
// unless one of their kind is. `path` leads to where the tree begins; `remark` is said there, too.
// Reads the store; any thread.
void add_engine_comments(chess::AnnotatedGame& game, const std::vector<chess::Move>& path,
                         const ExportTree& tree, const std::string& remark,
                         const PgnOptions& options, const storage::Store& store);

} // namespace adjourn::server
