// Commands inside PGN comments: [%eval 0.23,18], [%clk 0:03:25.1].
#pragma once

#include "chess/score.hpp"
#include "chess/types.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace adjourn::chess {

struct PgnEval {
    Score score;              // from White's side
    std::optional<int> depth; // if it is said

    friend bool operator==(const PgnEval&, const PgnEval&) = default;
};

// `turn`: who is to move where the comment stands (after the move); tells how many plies "#3" is.
std::optional<PgnEval> eval_in_comment(std::string_view comment, Color turn);

// Seconds left on the clock of the side that moved.
std::optional<double> clock_in_comment(std::string_view comment);

// The comment without its commands and without blanks at the ends.
std::string text_of_comment(std::string_view comment);

} // namespace adjourn::chess
