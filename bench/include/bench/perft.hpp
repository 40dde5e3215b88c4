// Speed of move generation: our perft beside Stockfish's own, in one run.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace adjourn::bench {

// Counts the leaf nodes of a few positions with one thread and, where Stockfish is installed, with
// its `go perft` too; prints a table of millions of nodes a second and their ratio. Blocks until
// done. Arguments: --deep (a ply more), --repeat N (best of N, default 3), --stockfish PATH,
// --depth N FEN (that position alone). Returns 0; 1 if the counts differ; 2 for bad arguments.
int run_perft(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
