// Standing: where a line from the root of an analysis leads.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

struct Standing {
    chess::Position position;
    // What was repeated before the root, and those positions of the line that the graph knows.
    std::vector<analysis::NodeId> nodes;
    std::optional<analysis::NodeId> node; // of the position itself, if the graph knows it
};

// REQUIRES: the moves are legal. On the core's thread.
Standing stand(const RunView& run, const std::vector<chess::Move>& line);
// A move on. REQUIRES: the move is legal; `run` has the same graph as before.
void step(const RunView& run, Standing& standing, chess::Move move);

// The move clock: half-moves without a capture or a pawn move. Positions in the graph have none; it
// is known for the root of an analysis and for lines from there. From 100 on a draw can be claimed;
// at 150 the game is drawn, unless the last move has mated. There is no clock where
// AnalysisSpec::fifty_moves is false.

// Half-moves left until a draw can be claimed, 0 if it can be; nullopt without the rule. The
// position is the root, or was played from there.
std::optional<int> clock_left(const RunView& run, const chess::Position& position);
// Whether the game is drawn by the clock.
bool drawn_by_clock(const RunView& run, const chess::Position& position);
// What people are told of it, a sentence without its full stop; "" if there is nothing to tell.
// `value`: the line behind the position's value.
std::string clock_note(const RunView& run, const chess::Position& position,
                       std::span<const chess::Move> value = {});

} // namespace adjourn::server
