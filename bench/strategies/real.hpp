// The comparison on real positions with a real engine.
#pragma once

#include "bench/strategies/comparison.hpp"
#include "bench/strategies/options.hpp"

#include <iosfwd>
#include <vector>

namespace adjourn::bench {

// Does the options' stage; only `all` has results, else they are empty. Notes go to `out`. Throws
// std::runtime_error.
std::vector<Contender> compare_on_positions(const StrategiesOptions& options, std::ostream& out);

} // namespace adjourn::bench
