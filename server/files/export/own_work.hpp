// OwnWork: what a person brought to an analysis and wrote into it, as far as it is exported.
#pragma once

#include "chess/game_tree.hpp"
#include "core/graphs/analysis_run.hpp"
#include "files/export/export.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

struct OwnNote {
    std::vector<chess::Move> whole;               // from the start of the analysis's game
    std::optional<std::vector<chess::Move>> line; // from the root; none: the game went another way
    chess::Position position;
    std::string comment; // what was drawn and written, as a PGN comment has it
};

// What the games that a person brought say, as far as it is exported.
struct OwnGames {
    using ByPosition = std::unordered_map<chess::PackedPosition, std::vector<chess::Move>,
                                          chess::PackedPositionHash>;
    using Comments = std::unordered_map<chess::PackedPosition, std::vector<std::string>,
                                        chess::PackedPositionHash>;

    std::vector<chess::AnnotatedGame> games; // without what an export added to them
    std::optional<std::size_t> through;      // the first that reaches the exported position
    // The moves of that one; of a repertoire also the answers of all others.
    ByPosition moves;
    // Comments that a game had and that none has any more. An import made a note of each: it is not
    // the person's word now.
    Comments former;
};

struct OwnWork {
    std::shared_ptr<const OwnGames> games = std::make_shared<OwnGames>();
    std::vector<std::vector<chess::Move>> included; // lines from the root
    std::vector<OwnNote> notes;

    // The game that the tree goes into; null: none reaches the exported position.
    const chess::AnnotatedGame* game() const {
        return games->through ? &games->games[*games->through] : nullptr;
    }
};

// Calls `visit(node, position after it)` for each node of the tree, in the order of the text; the
// start is one.
void for_each_node(const chess::GameTree& tree,
                   const std::function<void(chess::GameTree::Node, const chess::Position&)>& visit);

// Where a game reaches the position: in its main line if it does there, else the first place.
std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree,
                                             const chess::Position& position);

// `games`: what the person brought; `earlier`: as they were before somebody changed them. Any
// thread; takes long where there are many.
OwnGames own_games(std::vector<chess::AnnotatedGame> games,
                   const std::vector<chess::AnnotatedGame>& earlier, const ExportLimits& limits,
                   const chess::Position& exported);

OwnWork own_work(const RunView& run, std::shared_ptr<const OwnGames> games, OwnPart part);

} // namespace adjourn::server
