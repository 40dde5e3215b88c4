#include "search/interest.hpp"

namespace adjourn::search {

namespace {

// By hand, then by a short random climb on 642 positions with known best moves, 5,000 nodes each:
// docs/measurements/searches.md.
constexpr std::array<InterestWeight, interest_terms> tuned_by_suites{{
    {"replies", 2500, "R"},     {"check_evasion", 100, "R"}, {"after_check", 2, "R"},
    {"takes_checker", 30, "R"}, {"last_best", 84, "R"},      {"principal", 0, "ours"},
    {"killer", 28, "R"},        {"reply", 20, "R"},          {"follow_on", 20, "R"},
    {"best_quiet", 20, "R"},    {"capture", 56, "ours"},     {"winning", 20, "ours"},
    {"recapture", 40, "ours"},  {"check", 40, "R"},          {"promotion", 40, "ours"},
    {"pin", 10, "R"},           {"attack", 3, "ours"},       {"answer", 15, "ours"},
    {"tie", -10, "R"},          {"plausible", 15, "R"},      {"losing", 94, "ours"},
    {"same_from", 93, "S"},     {"same_piece", 99, "S"},     {"same_kind", 100, "S"},
    {"same_target", 98, "S"},   {"beyond", 100, "R"},        {"least", 12, "ours"},
    {"carry", 0, "R"},
}};

} // namespace

InterestWeights::InterestWeights() : table_{tuned_by_suites} {}

} // namespace adjourn::search
