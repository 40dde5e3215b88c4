// Measures of the graph: memory for a move, the full solve, and how fast one answer is worked in.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--moves N] [--changes N] [--seed S]: grows made-up answers of N (1,000,000) moves from the
// initial position, with transpositions and moves to and fro, and a tenth as many in a rook endgame
// in which nearly every move can be taken back; prints one table. A change is one new answer about
// a move that leads to a leaf. 0 done, 1 if the graph does not verify, 2 bad arguments.
int run_graph(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
