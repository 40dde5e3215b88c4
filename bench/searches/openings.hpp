// Where games of a match begin.
#pragma once

#include "chess/position.hpp"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace adjourn::bench {

// One a line, FEN or EPD, after the first `skip` lines, `most` at most. The error names file and
// line.
std::expected<std::vector<chess::Position>, std::string>
read_openings(const std::filesystem::path& epd, std::uint64_t skip, std::uint64_t most);

} // namespace adjourn::bench
