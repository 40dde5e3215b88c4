#include "analysis/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace adjourn::analysis {

namespace {

// Of the logistic curve over log(1 + cost): docs/measurements/how-sure.md has the fit.
constexpr double at_nothing = -0.772;
constexpr double by_cost = 1.184;
// Nobody has seen what is surer than this.
constexpr double surest = 0.99;

constexpr std::string_view tested_engine = "Stockfish 15.1";
constexpr double smallest_tested = 12, largest_tested = 14; // log2 of nodes
constexpr std::size_t fewest_tested = 8, most_tested = 60;

} // namespace

Confidence confidence_of(double cost) {
    const double grade = at_nothing + by_cost * std::log1p(std::min(cost, 1e6));
    const double chance = std::min(surest, 1 / (1 + std::exp(-grade)));
    constexpr std::array letters{'A', 'B', 'C', 'D', 'E'};
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (chance >= 0.9 - 0.1 * static_cast<double>(i)) {
            return {chance, letters[i]};
        }
    }
    return {chance, 'F'};
}

bool confidence_is_tested(std::string_view engine, const Limit& limit, std::size_t evaluations) {
    const double size = effort(limit);
    return engine == tested_engine && size >= smallest_tested && size <= largest_tested &&
           evaluations >= fewest_tested && evaluations <= most_tested;
}

} // namespace adjourn::analysis
