// The move clock: half-moves without a capture or a pawn move. Positions in the graph have none; it
// is known for the root of an analysis and for lines from there. From 100 on a draw can be claimed;
// at 150 the game is drawn, unless the last move has mated. There is no clock where
// AnalysisSpec::fifty_moves is false.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <span>
#include <string>

namespace adjourn::server {

// Half-moves left until a draw can be claimed, 0 if it can be; nullopt without the rule. The
// position is the root, or was played from there.
std::optional<int> clock_left(const AnalysisRun& run, const chess::Position& position);
// Whether the game is drawn by the clock.
bool drawn_by_clock(const AnalysisRun& run, const chess::Position& position);
// What people are told of it, a sentence without its full stop; "" if there is nothing to tell.
// `value`: the line behind the position's value.
std::string clock_note(const AnalysisRun& run, const chess::Position& position,
                       std::span<const chess::Move> value = {});

} // namespace adjourn::server
