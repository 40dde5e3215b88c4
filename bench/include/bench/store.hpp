// Measures of the store: disk for a fact, facts a second in and out.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// [--facts N] [--directory DIR] [--seed S]: appends N (1,000,000) facts such as a `halving`
// analysis at depth 18 makes, in a new store under DIR (the temporary directory), which is removed
// afterwards, and prints one table. 0 done, 2 bad arguments; throws what the store throws.
int run_store(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
