// Changes of an AnnotatedGame's moves. Each gives the moves as they are then; the game itself stays
// as it is.
#pragma once

#include "chess/game_tree.hpp"
#include "chess/pgn_comment.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::chess {

// What AnnotatedGame::moves is to be, or why it cannot, as a sentence: the change makes no sense
// there, or the game would grow beyond what GameReader reads.
using EditResult = std::expected<std::vector<GameToken>, std::string>;

// As the line's next move, or, where it has one, as the last variation to it.
EditResult add_move(const GameTree& tree, GameTree::Node node, Move move);
// The move, what follows it and what is said of it. Of variations behind it, the first one takes
// its place.
EditResult delete_move(const GameTree& tree, GameTree::Node node);
// The variation that the move is in takes the place of the line that it replaces a move of, whose
// rest becomes the variation.
EditResult promote(const GameTree& tree, GameTree::Node node);
// promote() until the move is in the main line.
EditResult make_main_line(const GameTree& tree, GameTree::Node node);

// Takes the place of another one of its kind, if a move can have only one (nag_kind()).
EditResult set_nag(const GameTree& tree, GameTree::Node node, std::uint8_t number);
EditResult clear_nag(const GameTree& tree, GameTree::Node node, std::uint8_t number);

enum class CommentPlace : std::uint8_t {
    behind, // the move; at the start: before the first move
    before, // only where GameTree::before has a place
};
// What is said there becomes one comment with this text; "" for none. Commands (clocks, scores,
// marks) stay, in front of it.
EditResult set_comment(const GameTree& tree, GameTree::Node node, CommentPlace place,
                       std::string_view text);
// Circles and arrows in the position after the move.
EditResult set_marks(const GameTree& tree, GameTree::Node node,
                     const std::vector<BoardMark>& marks);

// What another game from the same position has and this one has not: moves as variations or at the
// ends of lines, comments and NAGs behind those that are there. No move is there twice. Tags and
// result stay.
EditResult merge(const GameTree& tree, const AnnotatedGame& other);

// A game put together move by move, in any order.
class GameDraft {
public:
    using Node = std::size_t;
    static constexpr Node start = 0;

    // The move, as the last one that may be played there if it is not there yet; the first is the
    // main one.
    Node add(Node at, Move move);
    Node add_line(Node at, std::span<const Move> moves);
    // Behind the move and what has been said there.
    void say(Node at, GameToken annotation) { nodes_[at].said.push_back(std::move(annotation)); }
    const std::vector<GameToken>& said(Node at) const { return nodes_[at].said; }

    // What is said at the start, then the moves.
    std::vector<GameToken> tokens() const;
    // The moves with what is said of them. `all_variations`: also the start's first one begins a
    // variation, as where a game goes on with another move.
    std::vector<GameToken> moves(bool all_variations) const;

private:
    struct Entry {
        Move move;
        std::vector<GameToken> said;
        std::vector<Node> replies;
    };

    std::vector<Entry> nodes_{{Move::from_raw(0), {}, {}}};
};

} // namespace adjourn::chess
