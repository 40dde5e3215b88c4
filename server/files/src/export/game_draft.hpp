// GameDraft: a game put together move by move, in any order.
#pragma once

#include "chess/annotated_game.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace adjourn::server {

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
