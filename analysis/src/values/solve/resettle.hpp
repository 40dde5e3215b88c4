// Resettle: the part that one side has in the game values of a region, brought up to date after
// some of the region's moves changed their worth. (docs/internals/scores.md explains sweep and
// update.)
//
// A position's *share* is what the side can force there by a leaf: its value where that is better
// than 0 for the side, else 0. Shares are the least solution of "best of my moves, worst of the
// others'", so one that has lost its support must not be upheld by positions that lean on itself.
// That is what *steps* are for: a position leans on others of the same unit and share only if they
// have fewer.
// One pass from high to low levels does both: at each level first the positions of that share whose
// support is gone are unsettled, then the unsettled and the risen ones that now reach it are
// settled. Everything above the level is final by then. Costs O(log) for each move into or out of a
// position that changes (or might, where shares are equal).
#pragma once

#include "values/order/units.hpp"
#include "values/store/flat_map.hpp"
#include "values/store/network.hpp"

#include "chess/types.hpp"

#include <optional>
#include <queue>
#include <vector>

namespace adjourn::analysis {

// A set of active nodes of one φ-class.
struct Region {
    const Network& network;
    const Units& units;
    std::uint32_t phase;
    Unit top;                          // the unit itself …
    std::optional<std::int32_t> below; // … and those of a lower order than this; none: nothing else
    const FlatSet* dead_ends = nullptr; // worth 0, and not inside

    bool dead(NodeId node) const {
        return dead_ends != nullptr && dead_ends->contains(index_of(node));
    }
    bool contains(NodeId node, const Record* record) const {
        return record != nullptr && record->active() && record->phase == phase &&
               (Units::of(node, *record) == top || (below && units.order(*record) < *below)) &&
               !dead(node);
    }
};

class Resettle {
public:
    // Stands for the worth of a move that was not there before.
    static constexpr int absent = -(1 << 30);

    Resettle(const Region& region, chess::Color side) : region_{region}, side_{side} {}

    // A move of a node inside was worth `before` and is worth `now`, as ranks from its mover's
    // side.
    void note(NodeId node, int before, int now);
    // A move of a node inside was worth that much to the side, and is worth 0 to both now.
    void lose(NodeId node, int worth);
    // What a move is worth to the side as things stand; 0 where it is not better than that.
    int worth(const Record& source, const GraphMove& move) const {
        return through(mine(source), move);
    }
    // The node's moves may all be new. Its value has been set to 0.
    void look_at(NodeId node);
    // The node's steps mean nothing: it has joined the component.
    void unsettle(NodeId node);
    void run();

    struct Standing {
        int share;
        std::uint32_t steps;
    };
    // visit(node, standing) for all nodes that were touched, changed or not.
    template <class See>
    void for_each_touched(See see) const {
        touched_.for_each(
            [&](std::uint32_t index, const Standing& standing) { see(NodeId{index}, standing); });
    }
    int share(NodeId node) const;
    // Whether the node's share has the support it needs (for checks).
    bool sound(NodeId node) const;

private:
    struct Event {
        int level;
        bool settles;
        bool certain; // doubts only: there is no need to look for support
        NodeId node;

        // Highest level first; at a level, doubts before settlements.
        friend bool operator<(const Event& a, const Event& b) {
            return a.level != b.level ? a.level < b.level : a.settles && !b.settles;
        }
    };

    bool mine(const Record& record) const { return record.turn() == side_; }
    static int one_step(int share);
    Standing standing(NodeId node, const Record& record) const;
    int share(NodeId node, const Record& record) const { return standing(node, record).share; }
    // The target's steps, if it might lean on the source: same unit, and a share of that level.
    std::optional<std::uint32_t> steps_beside(NodeId source, const GraphMove& move,
                                              int level) const;
    std::uint32_t steps_to(NodeId node, int level) const;
    int through(bool mine, const GraphMove& move) const;
    int best_of(NodeId node) const;
    bool supported(NodeId node, int level) const;
    void doubt(const Event& event);
    void settle(const Event& event);

    Region region_;
    chess::Color side_;
    FlatMap<Standing> touched_;
    std::priority_queue<Event> events_;
};

} // namespace adjourn::analysis
