// Characters of UTF-8, and how they stand for the ASCII that chess is written in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace adjourn::chess::detail {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct Utf8Character {
    unsigned code;
    std::size_t length; // bytes
};

// Preconditions: `text` is UTF-8, a character begins at `at`.
Utf8Character utf8_at(std::string_view text, std::size_t at);
// `text` itself if it is UTF-8, else read as Windows-1252; `storage` keeps a converted one.
std::string_view as_utf8(std::string_view text, std::string& storage);

// Characters without width: zero-width spaces and joiners, marks of direction, byte order marks.
bool is_invisible(unsigned code);
bool has_other_than_ascii(std::string_view text);
// With typographic characters as ASCII: blanks of all widths, dashes, figurines of both colours,
// signs for capture and check; invisible ones are left out, all others stay. Any encoding.
std::string in_ascii(std::string_view text);

} // namespace adjourn::chess::detail
