// Interest search as a Game of negamax.hpp: what search.hpp says of it, on the chess of Tree.
#pragma once

#include "search/board_sight.hpp"
#include "search/tree.hpp"

#include <algorithm>
#include <optional>

namespace adjourn::search {

// Budgets are counted in units / 32.
inline constexpr int interest_unit = 32;

class InterestTree : public Tree {
public:
    using Rest = int; // what a line can still pay
    using Tree::Tree;

    class Moves {
    public:
        Moves(const InterestTree& tree, Rest rest, Value alpha, int ply);
        std::optional<Step<Move, Rest>> next();
        const OrderedMoves& ordered() const { return ordered_; }

    private:
        int interest(Move move) const;

        const InterestTree& tree_;
        const InterestWeights& weights_;
        int ply_;
        Rest rest_;
        Value alpha_;
        OrderedMoves ordered_;
        bool in_check_;
        int fee_; // of the best move
        // From the second move on:
        std::optional<CheckSight> sight_;
        Value looks_ = infinite; // what the position looks like; in check nobody can say
    };

    Rest rest_of_iteration(int iteration) const {
        return std::min(interest_unit * iteration, most_rest);
    }
    bool spent(Rest rest, int ply) const {
        return (rest < interest_unit / 2 && ply > 0) || ply >= max_ply;
    }
    std::optional<Value> recall(Rest rest, Value alpha, Value beta, int ply) const {
        return Tree::recall(code(rest), alpha, beta, ply);
    }
    Moves moves(Rest rest, Value alpha, int ply) const { return Moves{*this, rest, alpha, ply}; }
    void refuted(const Moves& moves, Rest rest, int ply) {
        const int plies = 1 + rest / interest_unit;
        cut(moves.ordered(), ply, std::min(plies * plies, 400));
    }
    void remember(Rest rest, Value alpha, Value beta, Value value, Move move, int ply) {
        keep(code(rest), alpha, beta, value, move, ply);
    }

private:
    static RestCode code(Rest rest) { return static_cast<RestCode>(std::max(rest, 0)); }
};

} // namespace adjourn::search
