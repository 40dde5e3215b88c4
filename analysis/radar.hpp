// Radar: places of a graph where a person would want to look: an answer that changed by what lies
// below it and has little behind it, and moves from which one reply leads to what is known already.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

namespace adjourn::analysis {

// An answer took the place of another one by backing up alone, and has less than a quarter of the
// positions behind it that the other one has.
struct Refutation {
    std::size_t behind_before = 0; // expanded positions below the former answer, 10,000 at most
    std::size_t behind_now = 0;    // below the present one
};
// `moment`: until then `before` was the answer at the root. nullopt: one of the two was searched
// by itself since, or is no move of the root, or enough lies behind the present one.
std::optional<Refutation> refutation(const Graph& graph, NodeId root, chess::Move before,
                                     chess::Move now, UnixMs moment);

// A leaf from which a legal reply leads to a position that is expanded: with the reply searched,
// the leaf would join what is known. Scores are of the side that plays the leaf.
struct Rejoin {
    std::vector<chess::Move> line; // from the root; the last one is the leaf
    chess::Move reply;
    chess::Score engine; // of the leaf
    chess::Score known;  // what the position behind the reply is worth
    int gap = 0;         // cp: by how much that is lower
    UnixMs at = 0;       // when the newer of the two was known
};

struct RejoinLimits {
    UnixMs since = 0;              // what was known before is left out
    int margin = 50;               // cp behind the best move of a position that are still followed
    int gap = 15;                  // cp, at least
    std::size_t positions = 5'000; // that are looked at, the nearest first
    std::size_t most = 3;          // that are told
};

class RejoinSearch {
public:
    // The graph must outlive go_on(). It may grow between two calls.
    RejoinSearch(const Graph& graph, NodeId root, const RejoinLimits& limits = {});

    // Looks at one position; false when there is none left.
    bool go_on();
    // What would say most first; of each leaf the reply that says most.
    const std::vector<Rejoin>& found() const { return found_; }

private:
    struct Visit {
        NodeId node;
        std::size_t from; // place of the position before; the root has its own
        chess::Move move; // from there
    };
    void look_at_leaf(std::size_t at, const GraphMove& leaf);
    bool on_way(std::size_t at, NodeId node) const;
    void keep(Rejoin found);

    const Graph& graph_;
    RejoinLimits limits_;
    std::unordered_set<NodeId> met_;
    std::vector<Visit> visits_;
    std::size_t next_ = 0;
    std::vector<Rejoin> found_;
};

} // namespace adjourn::analysis
