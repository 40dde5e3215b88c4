// Recorded trees: the evaluations that a strategy's trees rest on, and what a reference said of the
// moves at their roots, as text. So that what is made of evaluations can be tested without engines.
#pragma once

#include "bench/strategies/assessments.hpp"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <vector>

namespace adjourn::bench {

struct RecordedTree {
    chess::Position root;
    // In the order in which they came. Kept of each: question (limit in nodes), move, score.
    std::vector<analysis::Evaluation> facts;
    std::map<chess::Move, Judgement> judged; // moves of the root
};

// Throws std::runtime_error where the file cannot be written.
void write_recorded_trees(const std::filesystem::path& file,
                          const std::vector<RecordedTree>& trees);
// Throws std::runtime_error that names the line which is not as written.
std::vector<RecordedTree> read_recorded_trees(std::istream& in);

// The tree's estimates of the moves of its root, mover's side.
std::map<chess::Move, analysis::Estimate> estimates_of(const RecordedTree& tree);

// How many of the 90 % intervals hold the reference, of the moves whose reference is within `near`
// cp of the best judged move of the root.
struct Coverage {
    std::size_t moves = 0;
    std::size_t held = 0;
    double half_widths = 0; // sum over the moves, cp
};
Coverage coverage_of(const std::map<chess::Move, analysis::Estimate>& estimates,
                     const std::map<chess::Move, Judgement>& judged, double near);

} // namespace adjourn::bench
