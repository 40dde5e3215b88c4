// Value: what a search says of a position, for the side to move: centipawns, or beyond ±won the
// distance to mate from the root. Plain integers, since a search compares millions a second;
// score_of() is how they leave the room.
#pragma once

#include "chess/score.hpp"

namespace adjourn::search {

using Value = int;

constexpr int max_ply = 128; // no line is longer
constexpr Value mate_value = 32'000;
constexpr Value infinite = mate_value + 1;
constexpr Value won = mate_value - 2 * max_ply;

// The side to move is mated, so many plies from the root.
constexpr Value mated_at(int ply) {
    return ply - mate_value;
}
constexpr bool is_mate(Value value) {
    return value > won || value < -won;
}

// Of a value at the root.
constexpr chess::Score score_of(Value value) {
    return value > won    ? chess::Score::mate_in(mate_value - value)
           : value < -won ? chess::Score::mated_in(mate_value + value)
                          : chess::Score::cp(value);
}

} // namespace adjourn::search
