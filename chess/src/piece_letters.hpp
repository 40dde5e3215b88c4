// Piece letters of other languages than English.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::detail {

// The movetext as it reads where its letters are those of one of the languages that chess is
// written in: with English letters, one text for each set of letters that says something else.
// Empty where no letter stands at the place of a piece that no English piece has: then it is
// English.
std::vector<std::string> from_other_letters(std::string_view movetext);

} // namespace adjourn::chess::detail
