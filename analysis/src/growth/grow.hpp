// Growing a tree by a rule: a walk from the root, and what people deepen.
#pragma once

#include "rule.hpp"

#include "analysis/growth.hpp"

namespace adjourn::analysis {

Plan grown_by(const Rule& rule, const PlanRequest& request);

// By windows of which each is `narrowing` of the one before it, from ply 2 on.
Plan grown_by_windows(double narrowing, const PlanRequest& request);
inline constexpr double half = 0.5;

// With no window narrower than the noise that the facts show, if that is wanted.
PlanRequest with_floor(const PlanRequest& request);

} // namespace adjourn::analysis
