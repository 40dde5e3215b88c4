// Text of others as a terminal or a log may get it.
#pragma once

#include <string>
#include <string_view>

namespace adjourn::base {

// `text` without what a terminal would obey or what would hide its order: control characters but
// '\n' (C0, DEL, C1) and marks that turn the direction of text (U+202A–202E, U+2066–2069) become
// "\u001b", bytes that are no UTF-8 "\x9b". The former is how JSON writes them, so that a JSON
// text keeps its meaning.
std::string readable(std::string_view text);

// The same on one line: '\n', too, is escaped.
std::string readable_line(std::string_view text);

} // namespace adjourn::base
