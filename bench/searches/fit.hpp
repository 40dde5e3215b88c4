// What labelled positions say of the evaluation: its weights, and the curve from its values to
// chances. Pure.
#pragma once

#include "labelled.hpp"

#include <array>
#include <iosfwd>

namespace adjourn::bench {

using EvaluationWeights = std::array<search::TermWeights, search::term_count>;

struct WeightsFit {
    EvaluationWeights weights; // rounded
    // 1 / (1 + exp(−cp / scale)) of the weights that it began with foretells the labels best. It
    // is kept, so that a centipawn remains what it was.
    double scale = 0;
    // Of the results of every tenth game, which was not fitted to: nats a position.
    double before = 0;
    double after = 0;
};
// Every tenth game is held out.
inline constexpr std::uint64_t fewest_games_to_fit = 10;
// Looseness: how far weights that the positions say little of may go, centipawns (logistic.hpp).
WeightsFit fit_weights(const std::vector<Labelled>& positions, const EvaluationWeights& start,
                       double looseness);

// Won: 1 / (1 + exp((middle − cp) / spread)), lost the same of −cp, by the values of the search.
struct ChancesFit {
    double middle = 0;
    double spread = 0;
};
ChancesFit fit_chances(const std::vector<Labelled>& positions);

// As search/src/weights.hpp has it; clang-format breaks the lines.
void print_weights(const EvaluationWeights& weights, std::ostream& out);

} // namespace adjourn::bench
