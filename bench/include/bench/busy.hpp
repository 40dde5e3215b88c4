// How busy the scheduler keeps the engines.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace adjourn::bench {

// Grows a tree with real processes and prints the share of wall time × processes that they
// searched, measured between go and bestmove. Rows: hash_engine at --answer MS (20) with --engines
// N (8), and Stockfish at --movetime MS (200) with --stockfish-engines N (2; 0 = leave out).
// --strategy S (halving) with its defaults. --seconds S (10) a row, after --warmup S (3).
// --hash-engine PATH, --stockfish PATH. --affinity: instead, how many nodes the same --questions N
// (400) cost to --depth N (14) where each search begins with an empty hash, where any process takes
// any, and where lines keep their process. Returns 0; 1 if a row could not be measured; 2 for bad
// arguments.
int run_busy(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
