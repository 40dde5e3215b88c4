// PGN writer: games as text.
#pragma once

#include "chess/annotated_game.hpp"

#include <string>

namespace adjourn::chess {

// Lines have fewer than 80 bytes unless a word, a command in a comment, a comment behind ';' or an
// escape is longer. A file is such texts with an empty line between. Precondition: the moves are
// legal.
std::string to_pgn(const AnnotatedGame& game);

} // namespace adjourn::chess
