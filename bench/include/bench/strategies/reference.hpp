// What moves are worth, and what a choice loses.
#pragma once

#include "bench/strategies/course.hpp"

#include <map>
#include <vector>

namespace adjourn::bench {

// A score in cp, beyond ±1,000 taken as that: how decisively a game is won is no matter here.
int bounded_value(chess::Score score);

// Values of a root's moves. `regret` of a move is what the best of them is worth more.
using MoveValues = std::map<chess::Move, int>;
// REQUIRES: the values hold the move.
int regret(const MoveValues& values, chess::Move move);
// Of each point of a course. Where there is no choice yet: that of the first choice.
// REQUIRES: the course has a choice in the end; the values hold all its moves.
std::vector<double> regrets(const MoveValues& values, const Course& course);
// Every move a course chose at any time.
std::vector<chess::Move> choices(const Course& course);

} // namespace adjourn::bench
