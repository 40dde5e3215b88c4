// Tables: exact knowledge of positions with few men, as the graph sees it. Answers
// must not depend on what was asked before: exactness is a function of the position and of the
// tables present. Any thread; may block for reading files.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace adjourn::analysis {

struct TableMove {
    chess::Move move;
    chess::Score value; // of the move, mover's side
    int next_plies = 0; // distance of the position that it leads to

    friend bool operator==(const TableMove&, const TableMove&) = default;
};

class Tables {
public:
    virtual ~Tables() = default;

    // Of a position that is not mate, stalemate or dead: a score of kind tablebase, mover's side,
    // with the distance in plies to the next move after which it counts anew, or to mate. nullopt:
    // not covered. Positions with castling rights never are.
    virtual std::optional<chess::Score> value(const chess::Position& position) const = 0;

    // Every legal move of a covered position, best first: for the winner the one that makes
    // progress soonest, for the loser the one that delays it longest. The rules go before the
    // tables (a mating move is a mate), and a move after which the distance counts anew has
    // distance 1. Empty if the position is terminal or not covered, or if its best move leads to
    // what is not covered.
    virtual std::vector<TableMove> moves(const chess::Position& position) const = 0;
};

// moves() from value() of the successors. `restarts_count` says after which moves of the position
// the distance counts anew.
std::vector<TableMove>
moves_by_values(const Tables& tables, const chess::Position& position,
                const std::function<bool(const chess::Position&, chess::Move)>& restarts_count);
// In the order of moves().
void sort_best_first(std::vector<TableMove>& moves);

// Best moves on both sides, to mate where one side wins; one move where the position is drawn. At
// most `max_plies`.
std::vector<chess::Move> table_line(const Tables& tables, chess::Position position,
                                    std::size_t max_plies);

} // namespace adjourn::analysis
