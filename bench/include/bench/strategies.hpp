// Which strategy finds the right move with the fewest evaluations.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// Without --epd: on made-up game trees whose values are known, in seconds, without an engine. With
// --epd FILE (repeatable): Stockfish on contested positions of those files, all answers kept in
// --cache DIR, so that it can be stopped and goes on. docs/benchmarks.md explains the tables and
// names the arguments (bench/strategies/options.hpp). Returns 0; 1 if the engine or a file fails; 2
// for bad arguments.
int run_strategies(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
