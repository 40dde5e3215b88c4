// Measures of `changes`: what it costs to tell what changed, by the graph in memory and by the
// store alone.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--facts N] [--newest N] [--directory DIR] [--seed S]: stores N (1,000,000) facts such as a
// `halving` analysis at depth 18 makes under DIR (the temporary directory), makes their graph, and
// tells both ways what the newest of them changed. Prints one table. 0 done, 1 the two ways do not
// tell the same, 2 bad arguments; throws what the store throws.
int run_changes(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
