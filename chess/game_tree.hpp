// GameTree: an AnnotatedGame seen as a tree of moves.
#pragma once

#include "chess/pgn.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::chess {

struct PgnNag {
    std::uint8_t number;
    bool sign; // written "!?", not "$5"; only 1 to 6 are

    friend bool operator==(const PgnNag&, const PgnNag&) = default;
};

// {…}. UTF-8 without braces, control characters and blanks at the ends. A line end in a file is a
// blank; two and more of them stay, as "\n\n". Commands such as [%clk 0:01] are in it: see
// pgn_comment.hpp.
struct PgnComment {
    std::string text;

    // Makes what people type such a text: braces become parentheses, control characters blanks.
    static PgnComment of(std::string_view text);

    friend bool operator==(const PgnComment&, const PgnComment&) = default;
};

// "; …" up to the end of the line. UTF-8 without control characters and blanks at the ends.
struct PgnLineComment {
    std::string text;

    friend bool operator==(const PgnLineComment&, const PgnLineComment&) = default;
};

// A line that begins with '%', which readers skip. What is behind it, in UTF-8.
struct PgnEscape {
    std::string text;

    friend bool operator==(const PgnEscape&, const PgnEscape&) = default;
};

// "(" and ")". A variation replaces the move before it in the line around it.
struct VariationStart {
    friend bool operator==(VariationStart, VariationStart) = default;
};
struct VariationEnd {
    friend bool operator==(VariationEnd, VariationEnd) = default;
};

using GameToken =
    std::variant<Move, PgnNag, PgnComment, PgnLineComment, PgnEscape, VariationStart, VariationEnd>;

// Neither a move nor a bracket.
bool is_annotation(const GameToken& token);
// The text of a comment of either kind; null for other tokens.
const std::string* comment_in(const GameToken& token);

// Deeper nesting than any annotator's; bounds memory.
inline constexpr std::size_t most_nested = 500;
// Twice what a game can have before the 75-move rule ends it, and more.
inline constexpr std::size_t most_plies = 25'000;

struct AnnotatedGame {
    std::vector<PgnTag> tags; // in their order; FEN, SetUp, Variant and Result are among them
    Position start = Position::initial(); // what the FEN tag says
    // Brackets pair, a variation has a move and stands behind one, each move is legal where it
    // stands; no more than most_nested and most_plies.
    std::vector<GameToken> moves;
    std::string result = "*";      // "1-0", "0-1", "1/2-1/2", "*"
    std::vector<GameToken> behind; // comments and escapes behind the result

    friend bool operator==(const AnnotatedGame&, const AnnotatedGame&) = default;
};

// Without moves, and with the tags of the export format in its order: the seven that every game has
// ("?" where they are not among `tags`), then the others by name. Result, and what says where the
// game starts, are not taken from `tags`.
AnnotatedGame new_game(const Position& start, const std::vector<PgnTag>& tags,
                       const std::string& result = "*");

// The value of the first tag of the name; "" if there is none.
std::string_view tag_value(const std::vector<PgnTag>& tags, std::string_view name);

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
