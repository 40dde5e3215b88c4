// Circles and arrows on a board, as PGN comments have them: [%csl Gd4,Re5] [%cal Ge2e4].
#pragma once

#include "chess/types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

struct BoardMark {
    char color; // 'G', 'R', 'Y', 'B'
    Square from;
    std::optional<Square> to; // of an arrow; a circle has none

    friend bool operator==(const BoardMark&, const BoardMark&) = default;
};

// Circles, then arrows, each in their order. Those that cannot be understood are left out.
std::vector<BoardMark> marks_of(std::string_view comment);

// As commands of at most eight marks, since readers have a longest word; "" if there are none.
std::string to_text(const std::vector<BoardMark>& marks);

} // namespace adjourn::chess
