#include "files/kept/leaving.hpp"

#include "chess/game_tree.hpp"
#include "files/review/game_line.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

using Known =
    std::unordered_map<chess::PackedPosition, std::vector<chess::Move>, chess::PackedPositionHash>;

// All moves of a game, those of variations among them.
void note_moves(Known& known, const chess::AnnotatedGame& game) {
    const chess::GameTree tree{game};
    std::vector<std::pair<chess::GameTree::Node, chess::Position>> open{
        {chess::GameTree::start, tree.position(chess::GameTree::start)}};
    while (!open.empty()) {
        const auto [node, position] = open.back();
        open.pop_back();
        for (auto child = tree.first_child(node); child != chess::GameTree::none;
             child = tree.next_sibling(child)) {
            std::vector<chess::Move>& moves = known[position.packed()];
            if (std::ranges::find(moves, tree.move(child)) == moves.end()) {
                moves.push_back(tree.move(child));
            }
            open.emplace_back(child, position.after(tree.move(child)));
        }
    }
}

std::string players_of(const chess::AnnotatedGame& game, const std::string& otherwise) {
    const std::string white{chess::tag_value(game.tags, "White")};
    const std::string black{chess::tag_value(game.tags, "Black")};
    const auto is_name = [](const std::string& name) {
        return name.find_first_not_of("?. ") != std::string::npos;
    };
    return is_name(white) && is_name(black) ? white + " – " + black : otherwise;
}

std::optional<LeavingGame> leaving_of(const Known& known, const GameLine& game,
                                      chess::Position position) {
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const auto moves = known.find(position.packed());
        if (moves == known.end()) {
            return std::nullopt;
        }
        if (std::ranges::find(moves->second, game.moves[i]) == moves->second.end()) {
            const auto end = game.moves.begin() + static_cast<std::ptrdiff_t>(i + 1);
            return LeavingGame{{}, {game.moves.begin(), end}, moves->second, 0};
        }
        position.play(game.moves[i]);
    }
    return std::nullopt;
}

} // namespace

std::vector<LeavingGame> games_that_leave(const std::vector<KeptFile>& files,
                                          const chess::Position& root, analysis::UnixMs since,
                                          std::size_t most) {
    std::vector<LeavingGame> found;
    if (files.empty() || files.back().at() <= since) {
        return found;
    }
    Known known;
    for (const KeptFile& file : files) {
        std::vector<chess::AnnotatedGame> games;
        for (const KeptFile::Version* version : file.games()) {
            if (auto game = game_of(version->text)) {
                games.push_back(std::move(*game));
            }
        }
        for (const chess::AnnotatedGame& game : games) {
            if (file.at() <= since) {
                break;
            }
            if (auto left = leaving_of(known, game_line(game, root), root)) {
                left->players = players_of(game, file.name());
                left->at = file.at();
                found.push_back(std::move(*left));
            }
        }
        for (const chess::AnnotatedGame& game : games) {
            note_moves(known, game);
        }
    }
    std::ranges::stable_sort(found, [](const LeavingGame& a, const LeavingGame& b) {
        return a.line.size() > b.line.size();
    });
    found.resize(std::min(found.size(), most));
    return found;
}

} // namespace adjourn::server
