// Texts in PGN files: encodings, tag pairs, words that are no chess.
#pragma once

#include "chess/text.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

struct TagPair {
    std::string name;
    std::string value;  // escapes undone
    std::size_t length; // characters read
};

// A tag pair at the start of `line`. Forgives unescaped quotes and backslashes, and missing ends.
std::optional<TagPair> read_tag(std::string_view line);

// With quotes and backslashes escaped, as between the quotes of a tag.
std::string escaped_tag_value(std::string_view value);
// Whether nothing had to be forgiven: the characters that read_tag() took are as they should be.
bool is_regular(std::string_view characters, const TagPair& pair);

// Whether the Variant tag names chess or Chess960, by a list of their names. Letters count, not
// case, blanks or punctuation; an empty value and "?" say nothing else.
bool is_chess(std::string_view variant);

struct PossibleFen {
    std::string fen;
    std::vector<std::string> mended; // what, and why
};

// A FEN without what other programs overlook, since no move can go wrong by it: castling rights for
// which king or rook is not in place, an en-passant square that no pawn has passed, clocks out of
// range. Other faults stay in it.
PossibleFen possible_fen(std::string_view fen);

// Whether the value of a FEN tag names no position but the usual start: "", "?", "startpos".
bool says_nothing(std::string_view fen);

// What of a text can stand in a comment.
constexpr bool is_control(char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

struct CommentText {
    std::string text;
    bool changed = false; // other characters than blanks and line ends are others now
};

// UTF-8 as PgnComment and PgnLineComment have it. Twice is as once.
CommentText comment_text(std::string_view text);
CommentText line_comment_text(std::string_view text);

} // namespace adjourn::chess::detail
