// OwnWork: what a person brought to an analysis and wrote into it, as far as it is exported.
#pragma once

#include "chess/game_tree.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/export/export.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct OwnNote {
    std::vector<chess::Move> whole;               // from the start of the analysis's game
    std::optional<std::vector<chess::Move>> line; // from the root; none: the game went another way
    chess::Position position;
    std::string comment; // what was drawn and written, as a PGN comment has it
};

struct OwnWork {
    std::vector<chess::AnnotatedGame> games;        // without what an export added to them
    std::vector<std::vector<chess::Move>> included; // lines from the root
    std::vector<OwnNote> notes;
};

// Calls `visit(node, position after it)` for each node of the tree, in the order of the text; the
// start is one.
void for_each_node(const chess::GameTree& tree,
                   const std::function<void(chess::GameTree::Node, const chess::Position&)>& visit);

// Where a game reaches the position: in its main line if it does there, else the first place.
std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree,
                                             const chess::Position& position);

// The first game that reaches the position; null if none does.
const chess::AnnotatedGame* game_through(const OwnWork& work, const chess::Position& position);

// `games`: what the person brought. On the core's thread.
OwnWork own_work(const AnalysisRun& run, std::vector<chess::AnnotatedGame> games, OwnPart part);

} // namespace adjourn::server
