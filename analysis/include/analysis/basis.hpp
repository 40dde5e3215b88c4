// Basis: which facts a graph rests on. Two graphs of the same facts and basis are equal.
#pragma once

#include "analysis/records.hpp"

#include <compare>
#include <limits>
#include <vector>

namespace adjourn::analysis {

// A move that is no part of the game at that position.
struct ExcludedMove {
    chess::PackedPosition position;
    chess::Move move;

    friend auto operator<=>(const ExcludedMove&, const ExcludedMove&) = default;
};

struct Basis {
    // Evaluations of less effort have no part in the graph.
    double least_effort = -std::numeric_limits<double>::infinity();
    // These moves do not exist, whatever evaluations say of them. Sorted.
    std::vector<ExcludedMove> excluded = {};

    friend auto operator<=>(const Basis&, const Basis&) = default;
};

// Whether the fact is of that effort at least. A move that mates by the rules always is.
bool large_enough(const Basis& basis, const Evaluation& fact);

// Of an evaluation that is as large as one of that limit: one ply less, or half the nodes or time.
double least_effort(const Limit& limit);

} // namespace adjourn::analysis
