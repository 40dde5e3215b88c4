#include "files/export/own_work.hpp"

#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

namespace {

// With nothing in it that reads as a command but what was drawn on the board.
std::string comment_of(const std::string& note) {
    std::string drawn = chess::marks_in_comment(note);
    std::string text = drawn.empty() ? note : chess::text_of_comment(note);
    for (auto at = text.find("[%"); at != std::string::npos; at = text.find("[%", at)) {
        text.insert(at + 1, " ");
    }
    drawn += drawn.empty() || text.empty() ? "" : " ";
    return chess::PgnComment::of(drawn + text).text;
}

// Without the moves that lead to nothing said; nothing if nothing is said.
std::vector<chess::GameToken> annotated_lines(const chess::AnnotatedGame& game) {
    struct Line {
        std::size_t kept = 0; // tokens up to the last thing said
    };
    std::vector<chess::GameToken> tokens;
    std::vector<Line> lines{{}};
    std::vector<std::size_t> starts;
    for (const chess::GameToken& token : game.moves) {
        if (std::holds_alternative<chess::VariationStart>(token)) {
            starts.push_back(tokens.size());
            tokens.push_back(token);
            lines.push_back({tokens.size()});
        } else if (std::holds_alternative<chess::VariationEnd>(token)) {
            const std::size_t start = starts.back();
            const std::size_t kept = lines.back().kept;
            starts.pop_back();
            lines.pop_back();
            const bool said = kept > start + 1;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(said ? kept : start),
                         tokens.end());
            if (said) {
                tokens.push_back(token);
                lines.back().kept = tokens.size();
            }
        } else {
            tokens.push_back(token);
            if (chess::is_annotation(token)) {
                lines.back().kept = tokens.size();
            }
        }
    }
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(lines.front().kept), tokens.end());
    return tokens;
}

// As an import makes notes of them.
void for_each_comment(const chess::AnnotatedGame& game,
                      const std::function<void(const chess::Position&, std::string)>& visit) {
    const chess::GameTree tree{game};
    for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& position) {
        const auto range = tree.behind(node);
        for (std::size_t i = range.first; i < range.end; ++i) {
            const auto* comment = std::get_if<chess::PgnComment>(&game.moves[i]);
            if (comment != nullptr && !chess::is_exported(comment->text)) {
                visit(position, chess::said_in_comment(comment->text));
            }
        }
    });
}

} // namespace

void for_each_node(
    const chess::GameTree& tree,
    const std::function<void(chess::GameTree::Node, const chess::Position&)>& visit) {
    struct Place {
        chess::Position current;
        chess::Position before; // the last move
    };
    const chess::AnnotatedGame& game = tree.game();
    std::vector<Place> places{{game.start, game.start}};
    chess::GameTree::Node next = chess::GameTree::start;
    visit(next++, game.start);
    for (const chess::GameToken& token : game.moves) {
        if (const auto* move = std::get_if<chess::Move>(&token)) {
            Place& at = places.back();
            at.before = at.current;
            at.current.play(*move);
            visit(next++, at.current);
        } else if (std::holds_alternative<chess::VariationStart>(token)) {
            places.push_back({places.back().before, places.back().before});
        } else if (std::holds_alternative<chess::VariationEnd>(token)) {
            places.pop_back();
        }
    }
}

std::optional<chess::GameTree::Node> node_at(const chess::GameTree& tree,
                                             const chess::Position& position) {
    std::optional<chess::GameTree::Node> main;
    std::optional<chess::GameTree::Node> first;
    for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& here) {
        if (here == position) {
            first = first.value_or(node);
            const bool in_main = node == chess::GameTree::start || tree.in_main_line(node);
            main = main || !in_main ? main : std::optional{node};
        }
    });
    return main ? main : first;
}

OwnGames own_games(std::vector<chess::AnnotatedGame> games,
                   const std::vector<chess::AnnotatedGame>& earlier, const ExportLimits& limits,
                   const chess::Position& exported) {
    OwnGames own;
    if (limits.mine == OwnPart::none) {
        return own;
    }
    for (const chess::AnnotatedGame& game : earlier) {
        for_each_comment(game, [&](const chess::Position& position, std::string text) {
            own.former[position.packed()].push_back(std::move(text));
        });
    }
    for (chess::AnnotatedGame& game : games) {
        for_each_comment(game, [&](const chess::Position& position, const std::string& text) {
            if (const auto found = own.former.find(position.packed()); found != own.former.end()) {
                std::erase(found->second, text);
            }
        });
        chess::remove_exported(game);
        if (limits.mine == OwnPart::annotated) {
            game.moves = annotated_lines(game);
        }
        if (limits.mine == OwnPart::all || !game.moves.empty()) {
            own.games.push_back(std::move(game));
        }
    }
    for (std::size_t i = 0; i < own.games.size(); ++i) {
        const chess::GameTree tree{own.games[i]};
        if (!own.through && node_at(tree, exported)) {
            own.through = i;
        } else if (!limits.one_sided) {
            continue; // a game of its own in the file
        }
        std::vector<chess::Position> places{tree.size(), own.games[i].start};
        for_each_node(tree, [&](chess::GameTree::Node node, const chess::Position& position) {
            places[node] = position;
            if (node != chess::GameTree::start) {
                const chess::Position& from = places[tree.parent(node)];
                if (own.through == i || from.turn() == limits.one_sided) {
                    own.moves[from.packed()].push_back(tree.move(node));
                }
            }
        });
    }
    return own;
}

OwnWork own_work(const RunView& run, std::shared_ptr<const OwnGames> games, OwnPart part) {
    OwnWork work;
    work.games = std::move(games);
    if (part == OwnPart::none) {
        return work;
    }
    if (part == OwnPart::all) {
        work.included = included_lines(run);
    }
    for (const Directive* said : notes_of(run.directives)) {
        const auto position = chess::Position::unpack(said->position);
        std::string comment = comment_of(std::get<Note>(said->action).text);
        const auto former = work.games->former.find(said->position);
        const bool gone = former != work.games->former.end() &&
                          std::ranges::find(former->second, comment) != former->second.end();
        if (position && !comment.empty() && !gone) {
            std::vector<chess::Move> whole = run.record.root_moves;
            whole.insert(whole.end(), said->line.begin(), said->line.end());
            work.notes.push_back(
                {std::move(whole), run.from_root(said->line), *position, std::move(comment)});
        }
    }
    return work;
}

} // namespace adjourn::server
