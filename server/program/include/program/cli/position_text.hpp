// POSITION of the command line: what openings/root_text.hpp reads, or a file of it.
#pragma once

#include "chess/position_text.hpp"

#include <expected>
#include <string>

namespace adjourn::server {

// A position or an opening as text, the name of a PGN or EPD file, or "-" for standard input.
// Blocks as the file does. The error is for people and names the file, or "position".
std::expected<chess::PositionText, std::string> position_of_argument(const std::string& text);

} // namespace adjourn::server
