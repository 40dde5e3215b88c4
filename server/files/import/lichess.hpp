// lichess' evaluation export, a line of it: {"fen", "evals": [{"pvs": [{"cp" | "mate", "line"}],
// "knodes", "depth"}]}, scores from White's side.
#pragma once

#include "analysis/records.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

struct LichessLine {
    std::vector<analysis::Evaluation> facts; // without engine and time
    std::vector<std::string> told;           // what else stands in the line
};

// Of several PVs, each is the answer to a search that excluded the moves of those before it. The
// error names the place in the line.
std::expected<LichessLine, std::string> parse_lichess_line(std::string_view line);

} // namespace adjourn::server
