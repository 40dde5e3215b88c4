// Confidence: how likely an answer is to stand after four times the work, by the cost of what
// carries it. Fitted on recorded trees and tested on others (docs/measurements/how-sure.md); of
// other trees it is a guess, and `tested` says so.
#pragma once

#include "analysis/records.hpp"

#include <cstddef>
#include <string_view>

namespace adjourn::analysis {

struct Confidence {
    double chance = 0; // 0 … 1
    char letter = 'F'; // A from 90 %, B from 80 %, … E from 50 %
};
// `cost` as in Verdict.
Confidence confidence_of(double cost);

// Of trees like those that it was tested on: the engine, the size of an evaluation, how many there
// are of them.
bool confidence_is_tested(std::string_view engine, const Limit& limit, std::size_t evaluations);

} // namespace adjourn::analysis
