// Hollow moves: root moves of a settled tree that one more question would raise.
#pragma once

#include "bench/strategies/oracle.hpp"

#include "analysis/growth.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace adjourn::bench {

struct HollowRequest {
    chess::Position root;
    analysis::StrategyParameters parameters; // the tree is grown until `refine` is settled, ≥ 1
    analysis::Limit limit;
    int rise = 10;                    // cp; a smaller one is no matter
    std::size_t most_answers = 5'000; // a tree that needs more is given up
};

struct HollowMoves {
    std::vector<chess::Move> searched; // root moves with something below them, without exact ones
    std::vector<chess::Move> hollow;   // of these
    std::size_t answers = 0;           // that the tree needed
    std::size_t checks = 0;            // questions asked to find hollow moves; not in the tree
};

// Grows the tree one answer at a time. Then, for each root move: a position below it where its side
// moves could raise it if not all moves there were asked for, the engine's own word on the others
// is better than all that is known, and neither side would leave the way there before (the
// opponent plays its best moves, the side itself any move). At each of these the best of the other
// moves is asked for; the root move is hollow if its value, with that one answer added, is more
// than `rise` higher. The rule by which trees are grown has no part in this, so it can be held
// against it. nullopt: given up.
std::optional<HollowMoves> hollow_moves(const HollowRequest& request, Oracle& oracle);

} // namespace adjourn::bench
