// The comparison on made-up trees.
#pragma once

#include "bench/strategies/comparison.hpp"
#include "bench/strategies/options.hpp"

#include <vector>

namespace adjourn::bench {

// One tree for each of the options' roots (seeds from options.seed on), judged by the true values.
std::vector<Contender> compare_on_made_up_trees(const StrategiesOptions& options);

} // namespace adjourn::bench
