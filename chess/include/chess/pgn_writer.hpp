// PGN writer: games in export format.
#pragma once

#include "chess/annotated_game.hpp"

#include <string>
#include <vector>

namespace adjourn::chess {

// A move and what may follow it: the first reply is the main one, the others are variations.
struct PgnNode {
    Move move;
    std::vector<int> nags;
    std::string comment; // after the move; UTF-8
    std::vector<PgnNode> replies;
};

struct PgnTree {
    // In any order: the seven that every game has are written first and added if missing, the
    // others by name. Result, FEN and SetUp are not taken from here.
    std::vector<PgnTag> tags;
    Position start = Position::initial();
    std::string comment;        // before the first move
    std::vector<PgnNode> moves; // as PgnNode::replies
    std::string result = "*";
};

// Lines have fewer than 80 bytes unless a word, a command in a comment, a comment behind ';' or an
// escape is longer. A file is such texts with an empty line between. Precondition: the moves are
// legal.
std::string to_pgn(const AnnotatedGame& game);
// With one blank between the words of a comment.
std::string to_pgn(const PgnTree& tree);

} // namespace adjourn::chess
