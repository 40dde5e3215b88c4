// ExportTree: the moves of an analysis that a file is to hold, whatever its format: bounded, best
// first, and each position worked out once.
#pragma once

#include "analysis/estimate.hpp"
#include "core/graphs/graph_lock.hpp"
#include "core/graphs/line_end.hpp"
#include "files/export/export.hpp"
#include "files/export/own_work.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// Scores are the mover's.
struct ExportMove {
    analysis::GraphMove move;
    analysis::NodeId source{}; // where it is played
    chess::Score alpha;
    chess::Score idea;
    bool repetition = false; // leads to a position of the line
    bool solved = false;     // of a line by endgame tables: no engine score, no place in the graph
    // Of the exported position's own moves, where there is one.
    std::optional<analysis::Estimate> estimate{};
    // The target is worked out at the end of this line from the exported position, not here.
    std::optional<std::vector<chess::Move>> transposes{};
    std::vector<ExportMove> replies{}; // best first; empty where it ends here
};

struct ExportTree {
    chess::Position start; // the exported position
    std::vector<ExportMove> moves;
    std::size_t count = 0;  // moves in all
    bool truncated = false; // max_moves left something out
};

// Best alpha first, then what lies within the margin and the person's moves. A position is worked
// out where it is met first, main lines before variations; so positions belong to the main line if
// they can. Where endgame tables solve a position, their line to the end follows.
// For readers. REQUIRES: run.slot, which `reading` holds.
ExportTree export_tree(const RunView& run, const GraphReading& reading,
                       const std::vector<chess::Move>& line, const ExportLimits& limits,
                       const OwnWork& own);

// What files are made of.
struct ExportOrder {
    const storage::Store& store;
    analysis::UnixMs now;
    const RunView& run;
    const std::vector<chess::Move>& line; // to the exported position, from the root
    const ExportLimits& limits;
    const OwnWork& own;
    std::string sure = {}; // what the answer there rests on; "" if that is not told
};

// The file's text of the chosen moves: any thread, reads the store.
std::string write_pgn(const ExportOrder& order, const ExportTree& tree);
std::string write_epd(const ExportOrder& order, const ExportTree& tree);
std::string write_polyglot(const ExportOrder& order, const ExportTree& tree);
std::string write_json(const ExportOrder& order, const ExportTree& tree);

// The evaluations that moves stand on, position by position.
class ExportFacts {
public:
    explicit ExportFacts(const storage::Store& store) : store_{store} {}

    // Null for moves by endgame tables, and if the store has it no more. Valid until the next call.
    // `position` is where the move is played.
    const analysis::Evaluation* of(const ExportMove& move, const chess::Position& position);

private:
    const storage::Store& store_;
    std::optional<analysis::NodeId> node_;
    std::vector<analysis::Evaluation> facts_;
};

} // namespace adjourn::server
