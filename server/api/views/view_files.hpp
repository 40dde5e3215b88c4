// Files of games that people brought, as JSON. Pure.
#pragma once

#include "chess/game_tree.hpp"
#include "chess/pgn_comment.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace adjourn::server {

nlohmann::json file_json(const KeptFile& file);
// For a board. `version` is the game's; of one that is deleted nothing but that.
nlohmann::json game_json(const storage::FileRecord& version);

// "Gd4" or "Ge2e4", as [%csl] and [%cal] have them.
std::string mark_text(const chess::BoardMark& mark);
std::optional<chess::BoardMark> mark_of(const std::string& text);
// Numbers among siblings, from 0, with dots between: "0.0.1"; of the start "".
std::string path_text(const chess::GameTree& tree, chess::GameTree::Node node);
// nullopt: that is no path, or it leads nowhere.
std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree, const std::string& path);

} // namespace adjourn::server
