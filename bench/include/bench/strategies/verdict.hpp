// Verdict: contenders' assessments of the same roots, judged by a reference, as tables.
#pragma once

#include "bench/strategies/assessments.hpp"
#include "bench/strategies/statistics.hpp"

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace adjourn::bench {

struct JudgedRoot {
    std::vector<Assessment> assessments; // in the order of the contenders
    // Of all choices at least; where they are but one: none.
    std::map<chess::Move, Judgement> values;
};

struct VerdictOptions {
    double tolerance = 5; // cp: moves so close to the best one count as the same
    double near = 50;     // cp: values are compared of moves so close to the best one
    // Contenders that the others are compared with; where they do not take part, these tables lack.
    std::string choice_yardstick = "one search";
    std::string value_yardstick = "multipv";
    Bootstrap bootstrap;
};

// Centipawns that the choice is worth less than the best judged move; 0 where all chose alike.
double regret(const JudgedRoot& root, std::size_t contender);

// Prints the reference's own noise, regret and paired differences, values and how many of the good
// moves have one, and how many intervals of estimates hold the reference.
// REQUIRES: a contender and a root.
void print_verdict(const std::vector<std::string>& contenders, const std::vector<JudgedRoot>& roots,
                   const VerdictOptions& options, std::ostream& out);

} // namespace adjourn::bench
