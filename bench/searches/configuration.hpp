// A search as people write it: words and numbers, separated by commas, each of which changes what
// stands in Options: "interest,consistency,carry=10".
#pragma once

#include "search/search.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace adjourn::bench {

// full-width | interest; none | captures | consistency; answered | counted | left-out (dull moves);
// apart | joint (budgets); step, entry, threshold, loosening, most_plies,
// most_nodes, and the names of the table of interest weights with a number. The error names the
// part.
std::expected<search::Options, std::string> parse_configuration(std::string_view text);

} // namespace adjourn::bench
