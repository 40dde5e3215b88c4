// How characters of UTF-8 stand for the ASCII that chess is written in.
#pragma once

#include "base/utf8.hpp"

#include <string>
#include <string_view>

namespace adjourn::chess::detail {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Characters without width: zero-width spaces and joiners, marks of direction, byte order marks.
bool is_invisible(unsigned code);
bool has_other_than_ascii(std::string_view text);
// With typographic characters as ASCII: blanks of all widths, dashes, figurines of both colours,
// signs for capture and check; invisible ones are left out, all others stay. Any encoding.
std::string in_ascii(std::string_view text);

} // namespace adjourn::chess::detail
