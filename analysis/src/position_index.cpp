#include "position_index.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::analysis {

std::uint32_t PositionIndex::hash(const chess::PackedPosition& position) {
    return static_cast<std::uint32_t>(chess::PackedPositionHash{}(position) >> 32);
}

std::optional<NodeId> PositionIndex::find(const ValueGraph& graph,
                                          const chess::PackedPosition& position) const {
    if (slots_.empty()) {
        return std::nullopt;
    }
    const std::uint32_t wanted = hash(position);
    std::size_t at = home(wanted);
    while (slots_[at] != empty) {
        const NodeId node{slots_[at]};
        if (hashes_[slots_[at]] == wanted && packed(graph, node) == position) {
            return node;
        }
        at = at + 1 == slots_.size() ? 0 : at + 1;
    }
    return std::nullopt;
}

void PositionIndex::add(NodeId node, const chess::PackedPosition& position) {
    assert(hashes_.size() == static_cast<std::uint32_t>(node));
    if ((hashes_.size() + 1) * 5 > slots_.size() * 4) {
        grow();
    }
    hashes_.push_back(hash(position));
    insert(static_cast<std::uint32_t>(node), hash(position));
}

void PositionIndex::insert(std::uint32_t node, std::uint32_t hash) {
    std::size_t at = home(hash);
    while (slots_[at] != empty) {
        at = at + 1 == slots_.size() ? 0 : at + 1;
    }
    slots_[at] = node;
}

void PositionIndex::grow() {
    const std::size_t size = std::max<std::size_t>(16, slots_.size() + slots_.size() / 2);
    slots_ = {}; // first, so that old and new never stand side by side
    slots_.assign(size, empty);
    for (std::uint32_t node = 0; node < hashes_.size(); ++node) {
        insert(node, hashes_[node]);
    }
}

chess::Position PositionIndex::position(const ValueGraph& graph, NodeId node) const {
    if (graph.described(node)) {
        return *chess::Position::unpack(kept_[graph.record_index(node)]);
    }
    const NodeId parent = *graph.a_parent(node);
    const auto moves = graph.moves(parent);
    const auto move = std::find_if(moves.begin(), moves.end(),
                                   [&](const GraphMove& m) { return m.target == node; });
    assert(move != moves.end());
    return position(graph, parent).after(move->move);
}

chess::PackedPosition PositionIndex::packed(const ValueGraph& graph, NodeId node) const {
    return graph.described(node) ? kept_[graph.record_index(node)] : position(graph, node).packed();
}

std::size_t PositionIndex::memory() const {
    return kept_.memory() + hashes_.memory() + slots_.capacity() * sizeof(slots_[0]);
}

} // namespace adjourn::analysis
