// Full width: every move, to the same depth. Order: the table's move, captures that lose nothing,
// killers, the reply that worked before, the others by history, captures that lose.
#pragma once

#include "search/tree.hpp"

#include "search/negamax.hpp"

namespace adjourn::search {

class FullWidth : public Tree {
public:
    using Rest = int; // plies
    using Tree::Tree;

    class Moves {
    public:
        Moves(const FullWidth& tree, Rest rest, int ply);
        std::optional<Step<Move, Rest>> next();

    private:
        chess::MoveList moves_;
        std::array<int, 256> ratings_;
        std::size_t done_ = 0;
        Rest rest_;
        const Tree& tree_;
        int ply_;
    };

    Rest rest_of_iteration(int iteration) const { return iteration; }
    bool spent(Rest rest, int ply) const { return rest <= 0 || ply >= max_ply; }
    std::optional<Value> recall(Rest rest, Value alpha, Value beta, int ply) const;
    Moves moves(Rest rest, int ply) const { return Moves{*this, rest, ply}; }
    void refuted(Rest rest, int ply, Move move) { cut(ply, move, std::min(rest * rest, 400)); }
    void remember(Rest rest, Value alpha, Value beta, Value value, Move move, int ply) {
        keep(static_cast<RestCode>(rest), alpha, beta, value, move, ply);
    }
};

} // namespace adjourn::search
