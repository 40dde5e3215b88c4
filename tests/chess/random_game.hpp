// Annotated games with everything that can stand in one, and what must hold of each.
#pragma once

#include "support.hpp"

#include "chess/game_tree.hpp"

namespace adjourn::chess::testing {

// Text with all that could be taken for something else.
std::string random_text(Random& random, int words);

// Variations, one in another, comments of all kinds, NAGs, signs, escapes, commands, odd tags.
AnnotatedGame random_game(Random& random);

// Fails the test unless the games are written, read and written again as they are, with nothing to
// mend. Returns the text.
std::string require_stable(const std::vector<AnnotatedGame>& games);

} // namespace adjourn::chess::testing
