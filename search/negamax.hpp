// Alpha-beta, once: negamax with windows, fail-soft, on any game. What a line may still cost, in
// which order moves are tried, when a line ends and what is kept between lines are the game's.
//
// D. E. Knuth, R. W. Moore: "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975).
//
// A Game has:
//   Move, Rest                       Rest: how far a line may still go
//   optional<Value> known(ply)       the cut-off test: what needs no search (a draw by the rules)
//   bool spent(rest, ply)            the line ends here …
//   Value leaf(alpha, beta, ply)     … and is worth this; a bound outside the window is enough
//   optional<Value> recall(rest, alpha, beta, ply)    from an earlier visit
//   Moves moves(rest, alpha, ply)    Moves::next() → optional<Step<Move, Rest>>, best first
//   Value no_move(ply)               there was none
//   play(move, ply), take_back(ply)
//   bool stopped()                   the limits are reached: values are worth nothing any more
//   improved(ply, move, value)       inside the window: the line so far begins with it
//   refuted(moves, rest, ply)        the last of the moves given caused a cut
//   remember(rest, alpha, beta, value, move, ply)     the window as it was at the start
#pragma once

#include "chess/score.hpp"

#include <algorithm>
#include <optional>

namespace adjourn::search {

using Value = int;

constexpr int max_ply = 128; // no line is longer
constexpr Value mate_value = 32'000;
constexpr Value infinite = mate_value + 1;
constexpr Value won = mate_value - 2 * max_ply;

// The side to move is mated, so many plies from the root.
constexpr Value mated_at(int ply) {
    return ply - mate_value;
}
constexpr bool is_mate(Value value) {
    return value > won || value < -won;
}

// Of a value at the root.
constexpr chess::Score score_of(Value value) {
    return value > won    ? chess::Score::mate_in(mate_value - value)
           : value < -won ? chess::Score::mated_in(mate_value + value)
                          : chess::Score::cp(value);
}

template <class Move, class Rest>
struct Step {
    Move move;
    Rest rest; // of the position it leads to
    // If given: the move has to show with `rest` only that it is better than alpha, and counts as
    // far as a search with this bears it out.
    std::optional<Rest> confirm = {};
    // If given: the move is not searched, and worth no more than that, which is alpha or less. A
    // value that leaves it aside could be a mate that is none.
    std::optional<Value> at_most = {};
};

// Exact inside the window, outside it a bound of the same side. Meaningless once stopped().
template <class Game>
Value negamax(Game& game, Value alpha, Value beta, typename Game::Rest rest, int ply) {
    if (const std::optional<Value> known = game.known(ply)) {
        return *known;
    }
    if (game.spent(rest, ply)) {
        return game.leaf(alpha, beta, ply);
    }
    if (const std::optional<Value> kept = game.recall(rest, alpha, beta, ply)) {
        return *kept;
    }
    auto&& moves = game.moves(rest, alpha, ply);
    const Value floor = alpha;
    Value best = -infinite;
    std::optional<typename Game::Move> best_move;
    while (const auto step = moves.next()) {
        if (step->at_most) {
            best = std::max(best, *step->at_most);
            continue;
        }
        game.play(step->move, ply);
        // What is to be confirmed has to show only that it is better.
        const Value most = step->confirm ? alpha + 1 : beta;
        Value value = -negamax(game, -most, -alpha, step->rest, ply + 1);
        if (step->confirm && value > alpha && !game.stopped() &&
            (most < beta || *step->confirm != step->rest)) {
            value = -negamax(game, -beta, -alpha, *step->confirm, ply + 1);
        }
        game.take_back(ply);
        if (game.stopped()) {
            return best;
        }
        if (value <= best) {
            continue;
        }
        best = value;
        best_move = step->move;
        if (value > alpha) {
            alpha = value;
            game.improved(ply, step->move, value);
            if (alpha >= beta) {
                game.refuted(moves, rest, ply);
                break;
            }
        }
    }
    if (!best_move) {
        return game.no_move(ply);
    }
    game.remember(rest, floor, beta, best, *best_move, ply);
    return best;
}

} // namespace adjourn::search
