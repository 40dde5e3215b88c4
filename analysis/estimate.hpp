// Estimate: what a move is probably worth, by all that is known of it: its engine score and
// the value backed up from below, each weighted by the effort behind it. For people; nothing is
// decided by it. docs/internals/scores.md says what the interval means.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace adjourn::analysis {

struct Noise {
    double sigma = 0; // cp; 1.4826 · median deviation from the median, so few blunders don't count
    double median = 0;     // cp; how much better the mover stands by the later search
    std::size_t pairs = 0; // that it was measured from

    friend bool operator==(const Noise&, const Noise&) = default;
};

// Of pairs whose limits differ by less than a factor of 2 in nominal effort and whose scores are
// centipawns within ±500. Of about `most` moves, evenly from the whole graph, whatever the order in
// which the facts came; twice as many at most. nullopt below 30 pairs. O(moves of the graph).
std::optional<Noise> measure_noise(const Graph& graph, std::size_t most = 50'000);

// The same from any number of pairs; `pairs` is 0 if there is none.
Noise measure_few(const Graph& graph, std::size_t most = 50'000);

// σ to be used, cp: prior_sigma without pairs, the measured one from 30 pairs on, in between the
// mean of both variances, weighted by pairs.
inline constexpr double prior_sigma = 25;
double reckoned_sigma(const Noise& few);

// Mover's side of the move, or of the position.
struct Estimate {
    double cp = 0;
    double low = 0; // of the interval, cp
    double high = 0;
    std::size_t searches = 0; // that it rests on, 1 at least

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

// How far off one search is, and how the searches of one engine hang together.
struct ErrorModel {
    double sigma = 25 / 1.4142; // cp; of one search
    double shared = 0.8;        // share of the variance that all searches of a line have in common
    // Standard deviations to either side. 90 % of intervals shall hold what a much longer search
    // says; chosen on recorded trees, since errors are smaller than if they were normal (1.645).
    double width = 1.32;
};
// By the differences between two searches, if these are larger than what is usual for a middle
// game: what all searches of a size overlook is in none of them.
ErrorModel error_model(const std::optional<Noise>& noise);

// The interval around the mean of scores whose weights (that add up to 1) have the squares' sum
// `concentration`, in (0, 1]: half its width, cp.
double half_width(const ErrorModel& model, double concentration);

struct Estimates {
    std::optional<Estimate> position;           // nullopt: nothing known, or decided
    std::vector<std::optional<Estimate>> moves; // of graph.moves(node), the same of each
};
// Looks at `most` expanded positions, nearest first; what lies beyond counts by the engine
// score of the move that leads there. The same facts in any order give the same estimates.
Estimates estimates(const Graph& graph, NodeId node, const ErrorModel& model,
                    std::size_t most = 1'000);

} // namespace adjourn::analysis
