// EngineScores: which engine scores are trusted, and which are overruled by what is known below
// them.
//
// The *work* at a position is the nominal effort (as a number of nodes) of the evaluations that its
// moves have their scores from. The work below a move is that of all distinct positions to which
// its target leads without passing the move's source. A move's engine score is trusted, and the
// move counts as a leaf, while the work below is less than half of its own evaluation's. With that
// much or more below, the score is overruled.
//
// This is a function of the moves and their efforts alone. Where limits are alike no score is
// trusted, and nothing is kept: a target's own evaluations are enough. For each trusted score the
// positions below it are kept, and each enters once, as facts come. Work only ever grows, so a
// score that is overruled stays so, unless a larger search takes its place. Exact positions count
// and lead on like others: tables have no say in this.
#pragma once

#include "analysis/values/store/network.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::analysis {

class EngineScores {
public:
    // Node and index of a move.
    using Place = std::pair<NodeId, std::size_t>;
    struct Overruled {
        Place move;
        int before; // what it was worth, as a rank, mover's side
    };

    explicit EngineScores(Network& network) : network_{network} {}

    // The i-th move of the node is new, or has a larger effort than `before` by now. Marks it, and
    // the moves to its node, as trusted or not. Returns the moves, others than itself, whose scores
    // are overruled by this.
    std::vector<Overruled> grown(NodeId node, std::size_t i, double before);
    // A move that was not there before.
    static constexpr double absent = -1;

    // The same for all moves at once, whatever is marked.
    void judge_all();
    // Nodes with a move whose mark is wrong.
    std::vector<NodeId> wrong() const;

    std::size_t memory() const;

private:
    // The positions below a move whose score may be trusted, with their work.
    struct Watch {
        NodeId source;
        std::uint64_t wanted = 0; // work below that is enough
        std::uint64_t found = 0;
        std::vector<NodeId> below;

        bool overruled() const { return found >= wanted; }
    };

    // Complete, unless the score is overruled.
    Watch watch_below(NodeId source, const GraphMove& move) const;
    void enter(Watch& watch, NodeId node) const;
    void judge(NodeId source, std::size_t i);
    void forget(Place place);

    Network& network_;
    std::map<Place, Watch> watches_; // of the trusted scores
    // The watches that a position is part of.
    std::unordered_map<NodeId, std::vector<Place>> watched_by_;
};

} // namespace adjourn::analysis
