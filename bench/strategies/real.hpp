// The comparison on real positions with a real engine, all contenders at equal nodes.
#pragma once

#include "strategies/options.hpp"

#include <iosfwd>

namespace adjourn::bench {

// Progress goes to standard error, tables to `out`. Throws std::runtime_error.
void compare_on_positions(const StrategiesOptions& options, std::ostream& out);

} // namespace adjourn::bench
