// PGN writer: games as text.
#pragma once

#include "chess/game_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

// Lines have fewer than 80 bytes unless a word, a command in a comment, a comment behind ';' or an
// escape is longer. A file is such texts with an empty line between. Precondition: the moves are
// legal.
std::string to_pgn(const AnnotatedGame& game);

// What an export adds to a person's game: comments with scores, and NAGs. A command at the
// beginning of such a comment says that no person wrote it, so that a reader can leave it out and
// the next export takes its place.

// The comment "[%adj engine] text", with a NAG that is the export's "[%adj engine,$6] text".
PgnComment exported_comment(std::optional<std::uint8_t> nag, std::string_view text);

// Whether it is such a comment.
bool is_exported(std::string_view comment);

// Takes out such comments, and the NAGs that they name, from between the annotations around each.
void remove_exported(AnnotatedGame& game);

// Puts such comments and NAGs into a game.
class ExportedComments {
public:
    // The tree must outlive it.
    explicit ExportedComments(const GameTree& tree) : tree_{tree} {}

    // Nodes in their order, each once. The NAG stands behind those that are there, unless one of
    // its kind is; the comment, if there is anything to say, behind all others. `quiet`: a NAG
    // alone has no comment.
    void say(GameTree::Node node, std::optional<std::uint8_t> nag, std::string_view text,
             bool quiet = false);

    // The game's tokens with all of it; once.
    std::vector<GameToken> take();

private:
    void copy(std::size_t end);

    const GameTree& tree_;
    std::vector<GameToken> tokens_;
    std::size_t copied_ = 0; // tokens of the game
};

} // namespace adjourn::chess
