// StopRules: when an analysis may end before its last level, looked at whenever a level settles.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/noise.hpp"
#include "analysis/root_answer.hpp"

#include <optional>

namespace adjourn::analysis {

struct StopRules {
    bool proven = true; // the answer is proven to win, or the root to be lost (analysis/proof.hpp)
    double lead = 0;    // the answer is ahead by so many σ (where the noise is not known:
                        // reckoned_sigma()); 0 = never
    int levels = 2;     // … on so many settled levels in a row, ≥ 1

    friend bool operator==(const StopRules&, const StopRules&) = default;
};

enum class StopReason { proven, lead };

// How long the present answer has been clear of the rest.
struct Lead {
    std::optional<chess::Move> leader;
    int since = 0; // the settled level at which its lead was clear first
};

// Call it at each settled level, in order. The caller keeps `lead` between calls; it begins empty.
// A win leads what does not win, and what does not lose leads a loss, by any number of σ; a single
// legal move leads. Moves excluded by the graph's basis or by `directives` (may be null) are no
// part of the game.
std::optional<StopReason> may_stop(const StopRules& rules, const Graph& graph, NodeId root,
                                   const RootAnswer& answer, const std::optional<Noise>& noise,
                                   int level, Lead& lead, const Directives* directives = nullptr);

} // namespace adjourn::analysis
