#include "analysis/growth/grow.hpp"
#include "analysis/strategy.hpp"

namespace adjourn::analysis::registered {

namespace {

class Uniform : public Strategy {
    std::string_view name() const override { return "uniform"; }
    std::string_view meaning() const override { return "the window stays as it is"; }
    Plan plan(const PlanRequest& request) const override { return grown_by_windows(1, request); }
};

} // namespace

const Strategy& uniform() {
    static const Uniform strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
