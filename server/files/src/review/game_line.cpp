#include "files/review/game_line.hpp"

#include "chess/pgn_comment.hpp"
#include "files/export/own_work.hpp"

#include <utility>

namespace adjourn::server {

namespace {

std::string clock_behind(const chess::GameTree& tree, chess::GameTree::Node node) {
    std::string clock;
    const auto range = tree.behind(node);
    for (std::size_t i = range.first; i < range.end; ++i) {
        if (const auto* comment = std::get_if<chess::PgnComment>(&tree.game().moves[i])) {
            for (const chess::PgnCommand& command : chess::commands_in_comment(comment->text)) {
                if (command.name == "clk") {
                    clock = command.body;
                }
            }
        }
    }
    return clock;
}

} // namespace

GameLine game_line(const chess::AnnotatedGame& game, const chess::Position& root) {
    GameLine line{game.tags, game.result, 0, {}, {}, {}};
    const chess::GameTree tree{game};
    const auto from = node_at(tree, root);
    bool reviewed = from && (*from == chess::GameTree::start || tree.in_main_line(*from));
    if (!reviewed) {
        line.reason = "the game does not lead to the root of the analysis, " + root.fen();
    }
    reviewed = reviewed && *from == chess::GameTree::start;
    for (auto node = tree.first_child(chess::GameTree::start); node != chess::GameTree::none;
         node = tree.first_child(node)) {
        ++line.plies;
        if (reviewed) {
            line.moves.push_back(tree.move(node));
            line.clocks.push_back(clock_behind(tree, node));
        }
        reviewed = reviewed || (from && line.reason.empty() && node == *from);
    }
    if (line.reason.empty() && line.moves.empty()) {
        line.reason =
            line.plies == 0 ? "the game has no moves" : "the game ends at the root of the analysis";
    }
    return line;
}

} // namespace adjourn::server
