// A position that endgame tables solve, as the views show it: no engine is asked, every move has
// its exact value.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <optional>
#include <vector>

namespace adjourn::server {

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
