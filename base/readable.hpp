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

// From now on the functions above write "…" where `secret` stands, whatever others quote of it. Of
// less than eight bytes it is none. Any thread.
void keep_secret(std::string_view secret);
// `text` so. To be called before a text of others is cut.
std::string without_secrets(std::string_view text);

} // namespace adjourn::base
