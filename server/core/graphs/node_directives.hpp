// What an analysis's directives come to at each position of its graph.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <cstdint>
#include <vector>

namespace adjourn::server {

// Whether a directive that nobody took back has an effect now.
enum class Hold : std::uint8_t {
    yes,
    overtaken, // a later one says something else of the same move or position
    off_root,  // deepen and now: the line that it hangs on does not lead through the root
};
struct HeldDirective {
    const Directive* said;
    Hold hold = Hold::yes;
};
// All of in_force(), the oldest first.
std::vector<HeldDirective> held_directives(const RunView& run);

// Makes `run.node_directives` of those of `run.directives` that hold; none without a graph.
void rebuild_node_directives(AnalysisRun& run);

// The lines from the root whose moves people want analysed: to moves that they included, and to
// positions where they deepened. Each ends before a move that is excluded, if it has one.
std::vector<std::vector<chess::Move>> included_lines(const RunView& run);

// What people left out at a position, sorted; and the legal moves without them. `excluded` is
// sorted.
std::vector<chess::Move> excluded_moves(const RunView& run, analysis::NodeId node);
std::vector<chess::Move> legal_moves_but(const chess::Position& position,
                                         const std::vector<chess::Move>& excluded);

// What people brought in as moves of theirs at a position: included, or seeds; not excluded.
std::vector<chess::Move> own_moves(const RunView& run, analysis::NodeId node);

} // namespace adjourn::server
