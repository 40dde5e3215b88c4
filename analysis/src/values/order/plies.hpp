// Plies: shortest distances from any root, kept up to date. Distances run along the moves of active
// nodes; active nodes keep theirs in the record, those of leaves follow from their parents.
#pragma once

#include "values/store/network.hpp"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

class Plies {
public:
    // What is further away than a record can say counts as unreachable too: one ply more than
    // 65,534 is this by itself, so that nothing need be done about it.
    static constexpr std::uint32_t unreachable = std::numeric_limits<decltype(Record::ply)>::max();

    explicit Plies(Network& network) : network_{network} {}

    std::uint32_t of(NodeId node) const;
    bool is_root(NodeId node) const { return roots_.contains(node); }

    // Roots count. Whether that made the node one, or made it one no longer.
    bool add_root(NodeId node);
    bool remove_root(NodeId node);
    const std::unordered_map<NodeId, std::uint32_t>& roots() const { return roots_; }

    // The node has just become active.
    void activate(NodeId node);
    // Something new leads to the active node; appends the nodes whose ply fell.
    void approach(NodeId node, std::uint32_t ply, std::vector<NodeId>& changed);
    // Something that led to the active nodes is gone; appends the nodes whose ply rose. The method
    // of Ramalingam and Reps (J. Algorithms 21, 1996) for distances of one a step.
    void recede(const std::vector<NodeId>& nodes, std::vector<NodeId>& changed);

    template <class Self, class Image>
    static void pass(Self& self, Image& image) {
        if constexpr (Image::writes) {
            image.value(std::uint64_t{self.roots_.size()});
            for (const auto& [root, count] : self.roots_) {
                image.value(root);
                image.value(count);
            }
        } else {
            for (std::size_t left = image.count(2 * sizeof(std::uint32_t)); left > 0; --left) {
                NodeId root{};
                std::uint32_t count = 0;
                image.value(root);
                image.value(count);
                self.roots_[root] = count;
            }
        }
    }

private:
    void set(NodeId node, std::uint32_t ply);
    // From the parents, or 0 for a root.
    std::uint32_t measure(NodeId node) const;

    Network& network_;
    std::unordered_map<NodeId, std::uint32_t> roots_;
};

} // namespace adjourn::analysis
