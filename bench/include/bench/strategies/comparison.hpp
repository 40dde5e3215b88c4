// Comparison: what contenders lost against the reference on the same roots, as tables.
#pragma once

#include "bench/strategies/statistics.hpp"

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::bench {

// Regret: how many centipawns the reference values the chosen root move below the best one; ≥ 0.
struct Contender {
    std::string name;
    // regret[root][e - 1] after e evaluations, 1 ≤ e ≤ budget; the same roots and the same budget
    // for all contenders.
    std::vector<std::vector<double>> regret;
    // Where it was measured at some numbers of evaluations only: those, ascending.
    std::vector<std::size_t> only;
};

// First evaluation from which on regret stays within the tolerance up to the budget; nullopt: it
// does not at the budget.
std::optional<std::size_t> holds_from(const std::vector<double>& regret, double tolerance);
// First evaluation with regret within the tolerance.
std::optional<std::size_t> reached_at(const std::vector<double>& regret, double tolerance);

// Mean regret over the given roots after e evaluations.
double mean_regret(const Contender& contender, std::span<const std::size_t> roots,
                   std::size_t evaluations);
// Fewest evaluations from which on the mean regret over the given roots stays at or below `goal` up
// to the budget; nullopt: it is above at the budget.
std::optional<std::size_t> evaluations_for(const Contender& contender,
                                           std::span<const std::size_t> roots, double goal);

struct ComparisonOptions {
    std::vector<std::size_t> budgets; // columns, ascending; the last is the whole budget
    double tolerance = 5;             // cp: moves so close to the best one count as the same
    std::string yardstick = "uniform";
    Bootstrap bootstrap;
};

// Prints: regret at equal cost; paired differences from the yardstick and from "one long search"
// where they take part; evaluations to reach and to hold the reference's move; evaluations for
// equal quality. REQUIRES: at least one contender and one root.
void print_comparison(const std::vector<Contender>& contenders, const ComparisonOptions& options,
                      std::ostream& out);

} // namespace adjourn::bench
