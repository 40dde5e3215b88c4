#include "analysis/growth.hpp"

#include "growth/walk.hpp"

#include <cassert>

namespace adjourn::analysis {

namespace {

class WalkingStrategy final : public Strategy {
public:
    explicit WalkingStrategy(StrategyKind kind) : kind_{kind} {}

    Plan plan(const PlanRequest& request) const override {
        assert(request.refine >= 1);
        assert(request.parameters.kind == kind_);
        return Walk{request}.run();
    }

private:
    [[maybe_unused]] StrategyKind kind_;
};

} // namespace

std::span<const chess::Move> seeds_at(const PlanRequest& request, NodeId node) {
    if (request.seeds == nullptr) {
        return {};
    }
    const auto found = request.seeds->find(node);
    return found == request.seeds->end() ? std::span<const chess::Move>{} : found->second;
}

std::unique_ptr<Strategy> make_strategy(StrategyKind kind) {
    return std::make_unique<WalkingStrategy>(kind);
}

} // namespace adjourn::analysis
