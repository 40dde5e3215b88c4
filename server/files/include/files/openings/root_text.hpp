// A position as people type or paste it, opening names among it.
#pragma once

#include "chess/position_text.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace adjourn::server {

// What chess::parse_position_text() reads, else an opening by name, if every word of
// the text is one of the name or of a usual other name. The error is for people; where the text is
// neither, it names the openings that are near.
std::expected<chess::PositionText, std::string> parse_root_text(std::string_view text);

} // namespace adjourn::server
