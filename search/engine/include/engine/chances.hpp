// What a score of search/ says of the result, for "wdl". Pure.
#pragma once

#include "chess/score.hpp"
#include "chess/win_draw_loss.hpp"

namespace adjourn::engine {

// For whose score it is. By a curve that was fitted to the engine's own games
// (docs/measurements/benchmarks.md); certain where the score is a mate.
chess::WinDrawLoss chances(chess::Score score);

} // namespace adjourn::engine
