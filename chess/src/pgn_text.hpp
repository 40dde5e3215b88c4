// Texts in PGN files: encodings, tag pairs, words that are no chess.
#pragma once

#include "utf8.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::chess::detail {

struct TagPair {
    std::string name;
    std::string value;  // escapes undone
    std::size_t length; // characters read
};

// A tag pair at the start of `line`. Forgives unescaped quotes and backslashes, and missing ends.
std::optional<TagPair> read_tag(std::string_view line);

// Whether the Variant tag names chess or Chess960, by a list of their names. Letters count, not
// case, blanks or punctuation; an empty value and "?" say nothing else.
bool is_chess(std::string_view variant);

struct PossibleRights {
    std::string fen;
    std::string dropped; // letters
};

// A FEN without those castling rights for which king or rook is not in place.
PossibleRights with_possible_rights(std::string_view fen);

} // namespace adjourn::chess::detail
