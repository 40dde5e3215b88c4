// Which strategy finds the right move with the fewest evaluations.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// Without --epd: on made-up game trees whose values are known, in seconds, without an engine. With
// --epd FILE (repeatable): an engine on contested positions of those files, all contenders at equal
// nodes, all searches kept in --cache FILE, so that it can be stopped and goes on.
// docs/measurements/benchmarks.md explains the tables, bench/strategies/options.hpp the arguments.
// Returns 0; 1 if the engine or a file fails (told on standard error); 2 for bad arguments.
int run_strategies(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
