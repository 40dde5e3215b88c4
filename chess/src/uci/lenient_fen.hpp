// A position as GUIs send it. What other engines overlook is overlooked too, where no move can go
// wrong by it: castling rights without king or rook, an en-passant square that nothing can have
// passed, clocks out of range, fields that are missing or too many. Pure.
#pragma once

#include "chess/position.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess::uci {

struct LenientFen {
    Position position;
    std::vector<std::string> notes; // what was overlooked, for people
};

// The error says which field is wrong, and why.
std::expected<LenientFen, std::string> read_lenient_fen(std::string_view text);

} // namespace adjourn::chess::uci
