// GameTree: an AnnotatedGame seen as a tree of moves.
#pragma once

#include "chess/annotated_game.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::chess {

// Made in one pass, and valid as long as the game is there and unchanged. 20 bytes a move.
class GameTree {
public:
    // 0 is the start; the others are the moves in the order of the text, parents before children.
    using Node = std::uint32_t;
    static constexpr Node start = 0;
    static constexpr Node none = 0; // as child or sibling

    // Tokens of AnnotatedGame::moves.
    struct Range {
        std::size_t first;
        std::size_t end;
    };
    // The main line, or a variation.
    struct Line {
        std::size_t open; // its VariationStart; of the main line 0
        std::size_t end;  // its VariationEnd; of the main line the number of tokens
        Node replaced;    // the move that it stands behind; of the main line none
    };

    explicit GameTree(const AnnotatedGame& game);

    const AnnotatedGame& game() const { return *game_; }
    std::size_t size() const { return nodes_.size(); } // with the start
    Node parent(Node node) const { return nodes_[node].parent; }
    // The one that goes on in the same line is the first; the others are variations in their order.
    Node first_child(Node node) const { return nodes_[node].first_child; }
    Node next_sibling(Node node) const { return nodes_[node].next_sibling; }
    // Precondition, as wherever a move is meant: not the start.
    Move move(Node node) const { return std::get<Move>(game_->moves[token(node)]); }
    std::size_t token(Node node) const { return nodes_[node].token; }
    const Line& line(Node node) const { return lines_[nodes_[node].line]; }
    bool in_main_line(Node node) const { return nodes_[node].line == 0; }

    // By moves: where siblings are the same move, the first one.
    std::optional<Node> find(std::span<const Move> moves) const;
    // By numbers among siblings, from 0.
    std::optional<Node> find(std::span<const std::size_t> numbers) const;
    std::optional<Node> child(Node node, Move move) const;
    std::vector<Move> moves_to(Node node) const;
    Position position(Node node) const;

    // The annotations behind a move, before variations; of the start those before the first move.
    Range behind(Node node) const;
    // The annotations before a move that begins a line or stands behind variations. Before others
    // there is nothing but what stands behind the move before: nullopt.
    std::optional<Range> before(Node node) const;
    // Behind the last variation that stands behind the move; without one behind().end.
    std::size_t end_of_variations(Node node) const;

private:
    struct Entry {
        std::uint32_t token;
        Node parent;
        Node first_child;
        Node next_sibling;
        std::uint32_t line;
    };

    std::size_t end_of_annotations(std::size_t token) const;

    const AnnotatedGame* game_;
    std::vector<Entry> nodes_;
    std::vector<Line> lines_;
};

} // namespace adjourn::chess
