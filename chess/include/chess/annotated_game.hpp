// AnnotatedGame: a game or chapter as it stands in a PGN file, token by token, so that nothing of
// it is lost and its order stays. Read by game_reader.hpp, written by pgn_writer.hpp, seen as a
// tree by game_tree.hpp, changed by game_edit.hpp.
#pragma once

#include "chess/pgn.hpp"

#include <cstddef>
#include <cstdint>
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

} // namespace adjourn::chess
