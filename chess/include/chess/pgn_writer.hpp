// PGN writer: a tree of moves in export format.
#pragma once

#include "chess/pgn.hpp"

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

// Lines have fewer than 80 bytes unless a single word is longer. Braces in comments become
// parentheses, control characters blanks. Precondition: the moves are legal.
std::string to_pgn(const PgnTree& tree);

} // namespace adjourn::chess
