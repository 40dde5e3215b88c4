// Halving: the default strategy (DESIGN section 5, "The seed method").
#pragma once

#include "analysis/growth.hpp"

namespace adjourn::analysis {

class Halving final : public Strategy {
public:
    Plan plan(const PlanRequest& request) const override;
};

} // namespace adjourn::analysis
