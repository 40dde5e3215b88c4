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

// Prints the reference's own noise, regret and paired differences, values and how many of the good
// moves have one, and how many intervals of estimates hold the reference.
// REQUIRES: a contender and a root.
void print_verdict(const std::vector<std::string>& contenders, const std::vector<JudgedRoot>& roots,
                   const Bootstrap& how, std::ostream& out);

} // namespace adjourn::bench
