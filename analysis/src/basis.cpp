#include "analysis/basis.hpp"

namespace adjourn::analysis {

double least_effort(const Limit& limit) {
    constexpr double a_ply = 0.6;
    constexpr double a_factor_of_2 = 1.0;
    constexpr double hair = 1e-6; // rounding errors
    return effort(limit) - (limit.kind == Limit::Kind::depth ? a_ply : a_factor_of_2) - hair;
}

} // namespace adjourn::analysis
