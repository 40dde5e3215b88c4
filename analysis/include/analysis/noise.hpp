// Noise: by how much two searches of an engine disagree about the same move, measured on its
// evaluations: the score of a move by the search that named it, against the best score of the
// position that it leads to, one ply later.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <optional>

namespace adjourn::analysis {

struct Noise {
    double sigma = 0; // cp; 1.4826 · median deviation from the median, so few blunders don't count
    double median = 0;     // cp; how much better the mover stands by the later search
    std::size_t pairs = 0; // that it was measured from

    friend bool operator==(const Noise&, const Noise&) = default;
};

// Of pairs whose limits differ by less than a factor of 2 in nominal effort and whose scores are
// centipawns within ±500. Of about `most` moves, evenly from the whole graph, whatever the order in
// which the facts came; twice as many at most. nullopt below 30
// pairs. O(moves of the graph).
std::optional<Noise> measure_noise(const Graph& graph, std::size_t most = 50'000);

// The same from any number of pairs; `pairs` is 0 if there is none.
Noise measure_few(const Graph& graph, std::size_t most = 50'000);

// σ to be used, cp: prior_sigma without pairs, the measured one from 30 pairs on, in between the
// mean of both variances, weighted by pairs.
inline constexpr double prior_sigma = 25;
double reckoned_sigma(const Noise& few);

} // namespace adjourn::analysis
