// `adjourn bench confidence`: how often answers stood after four times the work, against what was
// said of them (analysis/confidence.hpp), on recorded trees.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace adjourn::bench {

int run_confidence(const std::vector<std::string>& args, std::ostream& out);

} // namespace adjourn::bench
