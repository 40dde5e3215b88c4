// LineEnd: where a line from the root of an analysis leads.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::server {

struct LineEnd {
    chess::Position position;
    // What was repeated before the root, and those positions of the line that the graph knows.
    std::vector<analysis::NodeId> nodes;
    std::optional<analysis::NodeId> node; // of the position itself, if the graph knows it
};

// REQUIRES: the moves are legal. On the core's thread.
LineEnd line_end(const RunView& run, const std::vector<chess::Move>& line);
// A move on. REQUIRES: the move is legal; `run` has the same graph as before.
void step(const RunView& run, LineEnd& end, chess::Move move);

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

// A position that endgame tables solve, as the views show it: no engine is asked, every move has
// its exact value.

struct SolvedMove {
    analysis::TableMove move;
    bool repetition = false; // leads to a position of the line: worth 0
    // Mover's side, with the line as history.
    chess::Score alpha() const { return repetition ? chess::Score::cp(0) : move.value; }
};

// Mover's side; nullopt where no table covers the position, and where the game is over.
std::optional<chess::Score> solved_value(const RunView& run, const chess::Position& position);
// Best first. `line` leads from the analysis's root to the position. Empty as
// analysis::Tables::moves().
std::vector<SolvedMove> solved_moves(const RunView& run, const std::vector<chess::Move>& line);

// Asks the tables what a graph asks when it gets the fact, so that they have the answer in memory.
// Blocks for the disk; `tables` may be null.
void ask_ahead(const analysis::Tables* tables, const analysis::Evaluation& fact);

} // namespace adjourn::server
