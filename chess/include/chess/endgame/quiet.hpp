// Quiet positions, and tables that know nothing else.
//
// Tables that leave out positions with captures are much smaller: nothing useful is stored there. A
// position is *quiet* if neither side could capture a piece if it were its turn, leaving its own
// king out of check. Whose turn it is, whether a king stands in check, and promotions play no part;
// a legal en-passant capture does.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstdint>
#include <optional>

namespace adjourn::chess {

bool is_quiet(const Position& position);

// By best play, without the 50-move rule; for the side to move.
enum class Outcome : std::int8_t { loss = -1, draw = 0, win = 1 };

class QuietTable {
public:
    virtual ~QuietTable() = default;
    // REQUIRES: is_quiet(position), terminal() is `no`. nullopt: not covered.
    virtual std::optional<Outcome> outcome(const Position& position) const = 0;
};

} // namespace adjourn::chess
