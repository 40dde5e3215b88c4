#include "analysis/growth/anchoring.hpp"
#include "analysis/growth/grow.hpp"
#include "analysis/strategy.hpp"

namespace adjourn::analysis::registered {

namespace {

class Anchored : public Strategy {
    std::string_view name() const override { return "anchored"; }
    std::string_view meaning() const override {
        return "one search of the root that grows level by level, the tree of halving, and a last "
               "search of the best candidates together, which decides";
    }
    std::span<const OwnNumber> numbers() const override { return anchor_numbers; }
    bool has_anchor() const override { return true; }
    Plan plan(const PlanRequest& request) const override {
        const Anchoring anchoring{request};
        return anchoring.with(grown_by_windows(half, anchoring.request_below()));
    }
};

} // namespace

const Strategy& anchored() {
    static const Anchored strategy;
    return strategy;
}

} // namespace adjourn::analysis::registered
