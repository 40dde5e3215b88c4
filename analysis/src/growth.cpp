#include "analysis/growth.hpp"

#include "halving.hpp"

#include <algorithm>

namespace adjourn::analysis {

std::string_view to_text(StrategyKind kind) {
    switch (kind) {
    case StrategyKind::halving: return "halving";
    }
    return "halving";
}

std::optional<StrategyKind> parse_strategy(std::string_view text) {
    if (text == "halving") {
        return StrategyKind::halving;
    }
    return std::nullopt;
}

int window_at(const StrategyParameters& parameters, int ply) {
    const int distance = parameters.move_distance;
    const int halvings = std::min(std::max(0, ply - 1), 30);
    return std::max(distance >> halvings, std::min(parameters.floor, distance));
}

std::span<const chess::Move> seeds_at(const PlanRequest& request, NodeId node) {
    if (request.seeds == nullptr) {
        return {};
    }
    const auto found = request.seeds->find(node);
    return found == request.seeds->end() ? std::span<const chess::Move>{} : found->second;
}

std::unique_ptr<Strategy> make_strategy(StrategyKind kind) {
    switch (kind) {
    case StrategyKind::halving: break;
    }
    return std::make_unique<Halving>();
}

} // namespace adjourn::analysis
