// lichess' evaluation export, a line of it: {"fen", "evals": [{"pvs": [{"cp" | "mate", "line"}],
// "knodes", "depth"}]}, scores from White's side.
#pragma once

#include "analysis/records.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// The evaluations of a line, without engine and time. Of several PVs, each is the answer to a
// search that excluded the moves of those before it. The error names the place in the line.
std::expected<std::vector<analysis::Evaluation>, std::string>
parse_lichess_line(std::string_view line);

} // namespace adjourn::server
