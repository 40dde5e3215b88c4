// Rule: what belongs to a level. The walk is the same for all rules.
#pragma once

#include "chess/types.hpp"

#include <array>
#include <memory>

namespace adjourn::analysis {

// A position on a line, as far as rules look at it.
struct Place {
    int ply = 0;
    chess::Color mover = chess::Color::white;
    std::array<double, 2> spent{}; // by White and Black, where moves cost something
};

// `gap` is how far a move is behind the best one, cp, ≥ 0; `rank` how many moves of the engine are
// better.
class Rule {
public:
    virtual ~Rule() = default;
    // The same for a tree of so many plies, as of what people deepen.
    virtual std::unique_ptr<Rule> of_plies(int plies) const = 0;

    virtual int horizon() const = 0; // plies that a line may have
    // Whether a move belongs to the level, be it known or not.
    virtual bool scores(const Place& place, int rank, int gap) const = 0;
    // Whether the position that it leads to belongs to the level, too. The move may count for more
    // than one ply.
    virtual bool follows(const Place& place, int rank, int gap, int plies) const = 0;
    // Moves that are compared by searches of like size, cp behind the best one.
    virtual int window(const Place& place) const = 0;
    // One good enough reply ends the work at a position from ply 2 on.
    virtual bool cuts() const { return false; }

    // After a move.
    virtual Place after(const Place& place, int /*gap*/, int /*plies*/) const {
        return {place.ply + 1, !place.mover, place.spent};
    }
    // Where people asked for so many plies more.
    virtual Place deepened(const Place& place, int /*plies*/) const { return place; }
    // Whether nothing is left out at `a` that belongs to the level at `b`, the same position.
    virtual bool no_narrower(const Place& a, const Place& b) const = 0;
    // Questions of lines that need less come first; ≥ 0.
    virtual double need(const Place& /*place*/) const { return 0; }
};

} // namespace adjourn::analysis
