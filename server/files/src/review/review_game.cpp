// A game with what a review found.
#include "chess/exported_comments.hpp"
#include "chess/game_edit.hpp"
#include "chess/notation.hpp"
#include "export/export_tags.hpp"
#include "export/game_draft.hpp"
#include "files/export/own_work.hpp"
#include "files/review/review.hpp"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace adjourn::server {

namespace {

using Node = chess::GameTree::Node;

constexpr std::uint8_t only_move = 7;

chess::Score for_white(chess::Score score, chess::Color side) {
    return side == chess::Color::white ? score : -score;
}

std::string eval_command(chess::Score white) {
    return "[%eval " + chess::to_eval_text(white) + "]";
}

// The reviewed moves from where they begin, with the better lines.
chess::AnnotatedGame with_better_lines(const Review& review, const chess::AnnotatedGame& game,
                                       const std::vector<chess::Move>& before) {
    GameDraft draft;
    GameDraft::Node at = draft.add_line(GameDraft::start, before);
    for (const ReviewedMove& move : review.moves) {
        const GameDraft::Node next = draft.add(at, move.move);
        if (blame(move) != 0 && !move.line.empty() && move.line.front() != move.move) {
            draft.add_line(at, move.line);
        }
        at = next;
    }
    return {{}, game.start, draft.tokens(), "*", {}};
}

std::string accuracy_text(const Review& review) {
    const auto text = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.0f} %", *value) : std::string{"?"};
    };
    return "Accuracy: White " + text(review.accuracy.white) + ", Black " +
           text(review.accuracy.black);
}

std::optional<std::uint8_t> nag_of(const ReviewedMove& move) {
    const int blamed = blame(move);
    return blamed != 0 ? std::optional{static_cast<std::uint8_t>(blamed)}
           : move.only ? std::optional{only_move}
                       : std::nullopt;
}

struct Said {
    std::optional<std::uint8_t> nag;
    std::string text;
};

// By node of the tree.
std::vector<Said> said_of(const Review& review, const chess::GameTree& tree, Node at) {
    std::vector<Said> said(tree.size());
    said[chess::GameTree::start].text = accuracy_text(review);
    chess::Position position = review.start;
    for (std::size_t ply = 0; ply < review.moves.size(); ++ply) {
        const ReviewedMove& move = review.moves[ply];
        if (blame(move) != 0 && !move.line.empty() && move.line.front() != move.move) {
            if (const auto better = tree.child(at, move.line.front())) {
                said[*better].text = eval_command(for_white(*move.best, position.turn()));
            }
        }
        at = *tree.child(at, move.move);
        position.play(move.move);
        Said& here = said[at];
        here.nag = nag_of(move);
        if (review.scores[ply + 1] && position.terminal() == chess::Terminal::no) {
            here.text = eval_command(*review.scores[ply + 1]);
        }
        const std::string words = review_words(review, ply);
        here.text += (here.text.empty() || words.empty() ? "" : " ") + words;
    }
    return said;
}

} // namespace

chess::AnnotatedGame annotated(const Review& review, chess::AnnotatedGame game,
                               const std::string& engine) {
    chess::remove_exported(game);
    std::vector<chess::Move> before;
    {
        const chess::GameTree tree{game};
        before = tree.moves_to(node_at(tree, review.start).value_or(chess::GameTree::start));
        const auto edit = chess::merge(tree, with_better_lines(review, game, before));
        if (edit) { // else it has no room for more: scores and words remain
            chess::apply(game, *edit);
        }
    }
    const chess::GameTree tree{game};
    const std::vector<Said> said = said_of(review, tree, *tree.find(before));
    chess::ExportedComments comments{tree};
    for (Node node = 0; node < tree.size(); ++node) {
        comments.say(node, said[node].nag, said[node].text);
    }
    game.moves = comments.take();
    add_tags(game.tags,
             {{"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)}, {"Engine", engine}});
    return game;
}

chess::AnnotatedGame reviewed_game(const Review& review) {
    chess::Position end = review.start;
    std::vector<chess::GameToken> moves;
    for (const ReviewedMove& move : review.moves) {
        moves.emplace_back(move.move);
        end.play(move.move);
    }
    const bool drawn =
        end.terminal() == chess::Terminal::stalemate || end.terminal() == chess::Terminal::dead;
    const bool mated = end.terminal() == chess::Terminal::checkmate;
    chess::AnnotatedGame game = chess::new_game(review.start, {},
                                                drawn                               ? "1/2-1/2"
                                                : !mated                            ? "*"
                                                : end.turn() == chess::Color::white ? "0-1"
                                                                                    : "1-0");
    game.moves = std::move(moves);
    return game;
}

} // namespace adjourn::server
