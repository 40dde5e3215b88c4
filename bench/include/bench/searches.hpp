// Two of our own searches against each other.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// Plays --games games of configuration --first against --second (searches/configuration.hpp),
// both colours of each opening of --epd, after the first --skip ones. The second has --nodes nodes
// a move, the first as many times each of --ratios. Prints a row for each ratio: score, Elo,
// their 95 % intervals, and seconds of the processor for each of the two. No clock, no chance: the
// same arguments give the same games.
// Returns 0; 1 if a file fails; 2 for bad arguments.
int run_searches(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
