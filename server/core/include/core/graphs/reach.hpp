// Reach: the positions that can be reached from a root, counted while the graph grows. What is
// reached once is reached for ever, so each move is looked at once.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace adjourn::server {

class Reach {
public:
    explicit Reach(analysis::NodeId root) { reach(root); }

    // This position has got a move.
    void grown(analysis::NodeId node);
    // Looks at so many positions more; true if none is left, and the count exact.
    bool go_on(const analysis::Graph& graph, std::size_t most);
    // Whether it has been found.
    bool has(analysis::NodeId node) const {
        const auto at = static_cast<std::size_t>(node);
        return at < marks_.size() && (marks_[at] & reached) != 0;
    }
    // Expanded positions found so far, the root included.
    std::size_t expanded() const { return expanded_; }

private:
    static constexpr std::uint8_t reached = 1;
    static constexpr std::uint8_t counted = 2;

    void reach(analysis::NodeId node);

    std::vector<std::uint8_t> marks_; // by node
    std::vector<analysis::NodeId> open_;
    std::size_t expanded_ = 0;
};

} // namespace adjourn::server
