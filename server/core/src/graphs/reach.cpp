#include "core/graphs/reach.hpp"

#include <algorithm>

namespace adjourn::server {

void Reach::grown(analysis::NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (at < marks_.size() && (marks_[at] & reached) != 0) {
        open_.push_back(node);
    }
}

bool Reach::go_on(const analysis::Graph& graph, std::size_t most) {
    for (; most > 0 && !open_.empty(); --most) {
        const analysis::NodeId node = open_.back();
        open_.pop_back();
        const auto moves = graph.moves(node);
        std::uint8_t& marks = marks_[static_cast<std::size_t>(node)];
        if (!moves.empty() && (marks & counted) == 0) {
            marks |= counted;
            ++expanded_;
        }
        for (const analysis::GraphMove& move : moves) {
            reach(move.target);
        }
    }
    return open_.empty();
}

void Reach::reach(analysis::NodeId node) {
    const auto at = static_cast<std::size_t>(node);
    if (at >= marks_.size()) {
        marks_.resize(std::max(at + 1, marks_.size() + marks_.size() / 2));
    }
    if ((marks_[at] & reached) == 0) {
        marks_[at] |= reached;
        open_.push_back(node);
    }
}

} // namespace adjourn::server
