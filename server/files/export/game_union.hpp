// GameUnion: the person's game that leads to the exported position, and into it all that the file
// is to have of the tree and of what people asked and wrote.
#pragma once

#include "chess/game_tree.hpp"
#include "files/export/export_tree.hpp"

#include <vector>

namespace adjourn::server {

struct ExportPlace {
    chess::Position start;               // where the analysis's game begins
    std::vector<chess::Move> root_moves; // from there to the root
    std::vector<chess::Move> line;       // from the root to the exported position
    bool from_game = false;              // the file begins where the game does
};

struct GameUnion {
    chess::AnnotatedGame game;
    std::vector<chess::Move> path; // to the exported position
    bool brought = false;          // a person's: tags and result are theirs
    // The tree as a game of its own, if it has no room in the person's.
    std::optional<chess::AnnotatedGame> beside;
};

// Moves and notes, not yet what is said of the engine's moves. Tokens of the person's game stay in
// their order; where only a part is exported (place.line), those that do not lead there are left
// out.
GameUnion make_union(const OwnWork& own, const ExportTree& tree, const ExportPlace& place);

} // namespace adjourn::server
