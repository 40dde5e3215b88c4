// GameUpdate: the part that one side has in the game values of a region, brought up to date after
// some of the region's moves changed their worth. (docs/internals/scores.md explains sweep and
// update.)
//
// A position's *gain* is what the side can force there by a leaf: its value where that is better
// than 0 for the side, else 0. Gains are the least solution of "best of my moves, worst of the
// others'", so one that has lost its support must not be upheld by positions that lean on itself.
// That is what *support numbers* are for: a position leans on others of the same component and gain
// only if theirs are smaller.
// One pass from high to low levels does both: at each level first the positions of
// that gain whose support is gone are unsettled, then the unsettled and the risen ones that now
// reach it are settled. Everything above the level is final by then. Costs O(log) for each move
// into or out of a position that changes (or might, where gains are equal).
#pragma once

#include "analysis/values/order/component_order.hpp"
#include "analysis/values/store/containers.hpp"
#include "analysis/values/store/network.hpp"
#include "analysis/values/value_graph.hpp"
#include "chess/types.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <span>
#include <vector>

namespace adjourn::analysis {

// A set of active nodes of one φ-class.
struct Region {
    const Network& network;
    const ComponentOrder& components;
    std::uint32_t phi;
    Component top;                     // the component itself …
    std::optional<std::int32_t> below; // … and those of a lower order than this; none: nothing else
    const FlatSet* dead_ends = nullptr; // worth 0, and not inside

    bool dead(NodeId node) const {
        return dead_ends != nullptr && dead_ends->contains(index_of(node));
    }
    bool contains(NodeId node, const Record* record) const {
        return record != nullptr && record->active() && record->phi == phi &&
               (ComponentOrder::of(node, *record) == top ||
                (below && components.order(*record) < *below)) &&
               !dead(node);
    }
};

class GameUpdate {
public:
    // Stands for the worth of a move that was not there before.
    static constexpr int absent = -(1 << 30);

    GameUpdate(const Region& region, chess::Color side) : region_{region}, side_{side} {}

    // A move of a node inside was worth `before` and is worth `now`, as ranks from its mover's
    // side.
    void note(NodeId node, int before, int now);
    // A move of a node inside was worth that much to the side, and is worth 0 to both now.
    void drop(NodeId node, int worth);
    // What a move is worth to the side as things stand; 0 where it is not better than that.
    int worth(const Record& source, const GraphMove& move) const {
        return through(mine(source), move);
    }
    // The node's moves may all be new. Its value has been set to 0.
    void look_at(NodeId node);
    // The node's support number means nothing: it has joined the component.
    void unsettle(NodeId node);
    void run();

    struct Standing {
        int gain;
        std::uint32_t support; // its number
    };
    // visit(node, standing) for all nodes that were touched, changed or not.
    template <class See>
    void for_each_touched(See see) const {
        touched_.for_each(
            [&](std::uint32_t index, const Standing& standing) { see(NodeId{index}, standing); });
    }
    int gain(NodeId node) const;
    // Whether the node's gain has the support it needs (for checks).
    bool sound(NodeId node) const;

private:
    struct Event {
        int level;
        bool settles;
        bool certain; // rechecks only: there is no need to look for support
        NodeId node;

        // Highest level first; at a level, rechecks before settlements.
        friend bool operator<(const Event& a, const Event& b) {
            return a.level != b.level ? a.level < b.level : a.settles && !b.settles;
        }
    };

    bool mine(const Record& record) const { return record.turn() == side_; }
    // A gain as the position one move earlier sees it: mates and table wins are a ply further away.
    static int one_step(int gain) { return -backed_up(gain); }
    Standing standing(NodeId node, const Record& record) const {
        if (const Standing* touched = touched_.find(index_of(node))) {
            return *touched;
        }
        const int gain = std::max(0, mine(record) ? record.value : -record.value);
        return {gain, gain > 0 && record.grouped ? region_.network.support(node) : 0};
    }
    int gain(NodeId node, const Record& record) const { return standing(node, record).gain; }
    // The target's support number, if it might lean on the source: same component, and a gain of
    // that level.
    std::optional<std::uint32_t> support_beside(NodeId source, const GraphMove& move,
                                                int level) const {
        const Record* record = region_.network.find(move.target);
        if (move.trusted || !region_.contains(move.target, record) ||
            !ComponentOrder::together(region_.network[source], *record)) {
            return std::nullopt; // lower components cannot lean on this one
        }
        const Standing other = standing(move.target, *record);
        return other.gain == level ? std::optional{other.support} : std::nullopt;
    }
    std::uint32_t support_to(NodeId node, int level) const;
    int through(bool mine, const GraphMove& move) const;
    int best_of(NodeId node) const;
    bool supported(NodeId node, int level) const;
    void recheck(const Event& event);
    void settle(const Event& event);

    Region region_;
    chess::Color side_;
    FlatMap<Standing> touched_;
    std::priority_queue<Event> events_;
};

// LineSweep: alpha on a network, at the end of a line that can be made longer.

// Neither the network nor the components may change meanwhile.
class LineSweep {
public:
    // See ValueGraph::sweep().
    LineSweep(const Network& network, const ComponentOrder& components,
              std::span<const NodeId> line);
    LineSweep(const LineSweep&) = delete;
    LineSweep& operator=(const LineSweep&) = delete;

    LineResult result() const;
    // Goes on by the i-th move of the line's last node, and tells where that is. Costs are those
    // of the values that the longer history changes.
    NodeId follow(std::size_t i);

private:
    // Both sides' gains in what the line's last node can lead to without leaving its φ-class.
    struct Sides {
        Region region;
        GameUpdate white;
        GameUpdate black;

        Sides(const Region& of, GameUpdate first, GameUpdate second)
            : region{of}, white{std::move(first)}, black{std::move(second)} {}
    };

    struct Loss {
        NodeId node;
        int worth; // of one of its moves, to the side
    };

    void open(const std::vector<NodeId>& tail);
    void add_dead_ends(const std::vector<NodeId>& nodes);
    std::vector<Loss> losses(const GameUpdate& side, const std::vector<NodeId>& nodes) const;
    void withdraw(GameUpdate& side, const std::vector<Loss>& losses) const;

    const Network& network_;
    const ComponentOrder& order_;
    NodeId last_;
    FlatSet tail_;               // nodes of the line that the last one may lead back to
    std::optional<Sides> sides_; // none: nothing of the class is known from there
};

// Ideas: minimax that ignores history (docs/internals/scores.md).

// Whether the move leads back to its source, and no deeper: then it keeps its engine score.
// Precondition: the node is active.
inline bool closes_cycle(const Network& network, const Record& source, const GraphMove& move) {
    const Record* target = network.find_active(move.target);
    return target != nullptr && ComponentOrder::together(source, *target) &&
           target->ply <= source.ply;
}

inline chess::Score idea_of_move(const Network& network, const Record& source,
                                 const GraphMove& move) {
    return closes_cycle(network, source, move) ? move.engine_score : network.idea_score(move);
}

// Precondition: the node is active.
inline chess::Score best_idea(const Network& network, NodeId node, const Record& record) {
    const auto moves = network.moves(node);
    chess::Score best = idea_of_move(network, record, moves[0]);
    for (const GraphMove& move : moves.subspan(1)) {
        const chess::Score score = idea_of_move(network, record, move);
        if (better(score, best)) {
            best = score;
        }
    }
    return best;
}

} // namespace adjourn::analysis
