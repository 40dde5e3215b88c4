// Weights of interest, tuned by games: simultaneous perturbation. All numbers are moved at once,
// each up or down by chance; a pair of games is played between that and the opposite; all numbers
// go a little towards the winner.
//
// J. C. Spall: "Multivariate stochastic approximation using a simultaneous perturbation gradient
// approximation", IEEE Transactions on Automatic Control 37 (1992); his exponents of 1998.
#pragma once

#include "match.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace adjourn::bench {

// A number that is tuned. What it is called is what parse_configuration() reads.
struct Tuned {
    std::string name;
    double value = 0;
    double reach = 1; // how far it is moved, at the end of the tuning
    double least = 0;
    double most = 0;
};
// Every weight of interest, `step` and `entry`.
std::vector<Tuned> tuned_numbers(const search::InterestOptions& from);

// What is moved each way, as integers between their limits; how much better up was than down, from
// −2 to 2.
using CompareBoth = std::function<double(const std::vector<int>& up, const std::vector<int>& down,
                                         std::uint64_t pair)>;

// The numbers after `pairs` comparisons. The same arguments give the same numbers.
std::vector<Tuned> tune(std::vector<Tuned> numbers, std::uint64_t pairs, std::uint64_t seed,
                        const CompareBoth& compare);

// "replies=2500,…": rounded, for parse_configuration().
std::string words_of(const std::vector<Tuned>& numbers);

// By pairs of games of the player against itself, from one opening after the other.
std::vector<Tuned> tune_by_games(const std::vector<chess::Position>& openings,
                                 const Contestant& player, std::uint64_t pairs);

} // namespace adjourn::bench
