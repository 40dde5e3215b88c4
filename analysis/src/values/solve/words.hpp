// Words: which engine scores stand against what is known below them.
//
// The *work* at a position is the nominal effort (as a number of nodes) of the evaluations that its
// moves have their scores from. The work below a move is that of all distinct positions to which
// its target leads without passing the move's source. A move's engine score stands, so that what is
// known below cannot overrule it, while the work below is less than half of its own evaluation's.
//
// That is a function of the moves and their efforts alone. Where limits are alike nothing stands,
// and nothing is kept: a target's own evaluations are enough. For each word that stands, the
// positions below it are kept, and each enters once, as facts come. Work only ever grows, so a word
// falls for good, unless a larger one takes its place. Exact positions count and lead on like
// others: tables have no say in this.
#pragma once

#include "word_watch.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::analysis {

class Words {
public:
    // Node and index of a move.
    using Place = std::pair<NodeId, std::size_t>;
    struct Fallen {
        Place move;
        int before; // what it was worth, as a rank, mover's side
    };

    explicit Words(Network& network) : network_{network} {}

    // The i-th move of the node is new, or has a larger effort than `before` by now. Sets the marks
    // of it and of the moves to its node, and takes those of words that fall by this, which are
    // returned; others than the move itself.
    std::vector<Fallen> grown(NodeId node, std::size_t i, double before);
    // A move that was not there before.
    static constexpr double absent = -1;

    // The same for all moves at once, whatever is marked.
    void judge_all();
    // Nodes with a move whose mark is wrong.
    std::vector<NodeId> wrong() const;

    std::size_t memory() const;

private:
    using Watch = WordWatch;

    void enter(Watch& watch, NodeId node) const;
    void judge(NodeId source, std::size_t i);
    void forget(Place place);

    Network& network_;
    std::map<Place, Watch> watches_; // of the words that stand
    // The watches that a position is part of.
    std::unordered_map<NodeId, std::vector<Place>> watched_by_;
};

} // namespace adjourn::analysis
