// Tables as Markdown, which is also readable on a terminal.
#pragma once

#include "strategies/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

// "never" where infinite.
std::string number(double value, int digits);
// "value [low, high]".
std::string cell(const Interval& interval, int digits);

using Rows = std::vector<std::vector<std::string>>;
// The first row is the head; columns are aligned; a blank line follows. REQUIRES: a row.
void print_table(const Rows& rows, std::ostream& out);

} // namespace adjourn::bench
