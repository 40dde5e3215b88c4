// GameUnion: the person's game that leads to the exported position, and into it all that the file
// is to have of the tree and of what people asked and wrote.
#pragma once

#include "chess/game_tree.hpp"
#include "files/export/export_tree.hpp"

#include <cstddef>
#include <span>
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

// GameDraft: a game put together move by move, in any order.

class GameDraft {
public:
    using Node = std::size_t;
    static constexpr Node start = 0;

    // The move, as the last one that may be played there if it is not there yet; the first is the
    // main one.
    Node add(Node at, chess::Move move);
    Node add_line(Node at, std::span<const chess::Move> moves);
    // Behind the move and what has been said there.
    void say(Node at, chess::GameToken annotation) { nodes_[at].said.push_back(annotation); }

    std::vector<chess::GameToken> tokens() const;

private:
    struct Entry {
        chess::Move move;
        std::vector<chess::GameToken> said;
        std::vector<Node> replies;
    };

    std::vector<Entry> nodes_{{chess::Move::from_raw(0), {}, {}}};
};

} // namespace adjourn::server
