// The reference's opinion of single moves.
#pragma once

#include "bench/strategies/course.hpp"
#include "bench/strategies/oracle.hpp"

#include <map>
#include <span>
#include <vector>

namespace adjourn::bench {

// A score in cp, beyond ±1,000 taken as that: how decisively a game is won is no matter here.
int bounded_value(chess::Score score);

// What the oracle thinks of one move by a search of that move alone (mover's side, bounded).
// nullopt: no answer.
std::optional<int> value_of(const chess::Position& position, chess::Move move,
                            const analysis::Limit& limit, Oracle& oracle);

// Values of a root's moves. `regret` of a move is what the best of them is worth more.
using MoveValues = std::map<chess::Move, int>;
// Asks for the values of all the moves. Where they are but one it is not asked: there is nothing to
// compare, and its value is 0. Throws std::runtime_error where the oracle has no answer. REQUIRES:
// a move.
MoveValues judged(const chess::Position& root, const std::vector<chess::Move>& moves,
                  const analysis::Limit& limit, Oracle& oracle);
// REQUIRES: the values hold the move.
int regret(const MoveValues& values, chess::Move move);
// Of each point of a course. Where there is no choice yet: that of the first choice.
// REQUIRES: the course has a choice in the end; the values hold all its moves.
std::vector<double> regrets(const MoveValues& values, const Course& course);
// Every move a course chose at any time.
std::vector<chess::Move> choices(const Course& course);

} // namespace adjourn::bench
