// Texts in PGN files: encodings, tag pairs, words that are no chess.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::chess::detail {

bool is_utf8(std::string_view text);
// `text` itself if it is UTF-8, else read as Windows-1252; `storage` keeps a converted one.
std::string_view as_utf8(std::string_view text, std::string& storage);

struct TagPair {
    std::string name;
    std::string value;  // escapes undone
    std::size_t length; // characters read
};

// A tag pair at the start of `line`. Forgives unescaped quotes and backslashes, and missing ends.
std::optional<TagPair> read_tag(std::string_view line);

// Whether the Variant tag names a game with other rules than chess or Chess960.
bool is_other_variant(std::string_view value);

// ASCII only.
std::string lower_case(std::string_view text);

} // namespace adjourn::chess::detail
