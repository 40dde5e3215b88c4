#include "search/interest.hpp"

namespace adjourn::search {

namespace {

constexpr std::array<InterestWeight, interest_terms> first_guess{{
    {"replies", 900, "R"},      {"check_evasion", 100, "R"}, {"after_check", 25, "R"},
    {"takes_checker", 50, "R"}, {"last_best", 90, "R"},      {"principal", 20, "ours"},
    {"killer", 50, "R"},        {"reply", 30, "R"},          {"follow_on", 30, "R"},
    {"best_quiet", 30, "R"},    {"capture", 50, "ours"},     {"winning", 30, "ours"},
    {"recapture", 30, "ours"},  {"check", 50, "R"},          {"promotion", 60, "ours"},
    {"pin", 15, "R"},           {"attack", 15, "ours"},      {"answer", 20, "ours"},
    {"tie", -10, "R"},          {"plausible", 25, "R"},      {"losing", 50, "ours"},
    {"same_from", 90, "S"},     {"same_piece", 96, "S"},     {"same_kind", 98, "S"},
    {"same_target", 95, "S"},   {"beyond", 95, "R"},         {"least", 8, "ours"},
    {"carry", 5, "R"},
}};

} // namespace

InterestWeights::InterestWeights() : table_{first_guess} {}

} // namespace adjourn::search
