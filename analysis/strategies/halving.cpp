#include "analysis/growth/grow.hpp"
#include "analysis/strategy.hpp"

namespace adjourn::analysis::registered {

namespace {

class Halving : public Strategy {
    std::string_view name() const override { return "halving"; }
    std::string_view meaning() const override {
        return "the window in which moves are followed halves with every ply";
    }
    Plan plan(const PlanRequest& request) const override { return grown_by_windows(half, request); }
};

} // namespace

const Strategy& halving() {
    static const Halving strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
