// How many root moves of settled trees have a value that one question would raise.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// Grows trees with Stockfish on contested positions of --epd FILE (repeatable): two moves within 30
// cp, and neither side ahead by more than 250 (is_contested()). Prints how many root moves that
// were searched below are hollow (hollow_moves.hpp: more than 10 cp). --roots N (200), --depth D
// (8), --refine L (6), --strategy SPEC (halving), --seed S, --cache FILE, --minutes N, --stockfish
// PATH. One process, with empty memory before each search. Answers are kept in the cache; a run
// that was stopped goes on where it was. Returns 0; 1 if the engine or a file fails; 2 for bad
// arguments.
int run_hollow(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
