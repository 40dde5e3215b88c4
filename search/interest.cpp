#include "search/interest.hpp"

namespace adjourn::search {

namespace {

// By hand, then by a short random climb on positions with known best moves, then by 32,000 games:
// docs/measurements/benchmarks.md.
constexpr std::array<InterestWeight, interest_terms> tuned_by_games{{
    {"replies", 2985, "R"},    {"check_evasion", 99, "R"},
    {"after_check", 2, "R"},   {"takes_checker", 29, "R"},
    {"last_best", 106, "R"},   {"principal", 1, "ours"},
    {"killer", 23, "R"},       {"reply", 24, "R"},
    {"follow_on", 19, "R"},    {"best_quiet", 7, "R"},
    {"capture", 76, "ours"},   {"winning", 18, "ours"},
    {"recapture", 45, "ours"}, {"check", 39, "R"},
    {"promotion", 28, "ours"}, {"pin", 7, "R"},
    {"attack", 12, "ours"},    {"answer", 19, "ours"},
    {"tie", -9, "R"},          {"plausible", 10, "R"},
    {"losing", 80, "ours"},    {"same_from", 97, "S"},
    {"same_piece", 100, "S"},  {"same_kind", 98, "S"},
    {"same_target", 96, "S"},  {"beyond", 97, "R"},
    {"least", 13, "ours"},     {"carry", 2, "R"},
}};

} // namespace

InterestWeights::InterestWeights() : table_{tuned_by_games} {}

} // namespace adjourn::search
