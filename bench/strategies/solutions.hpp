// The comparison on hard positions of which the best moves are published: no engine is the judge.
#pragma once

#include "strategies/options.hpp"

#include <iosfwd>

namespace adjourn::bench {

// Of the files' positions with operations bm or am, those that one search with a tenth of the nodes
// does not solve. As compare_on_positions().
void compare_on_solutions(const StrategiesOptions& options, std::ostream& out);

} // namespace adjourn::bench
