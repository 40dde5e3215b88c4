#include "position_index.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

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
        const NodeId node{slots_[at] & node_mask};
        if (slot_of(static_cast<std::uint32_t>(node), wanted) == slots_[at] &&
            hashes_[slots_[at] & node_mask] == wanted && packed(graph, node) == position) {
            return node;
        }
        at = at + 1 == slots_.size() ? 0 : at + 1;
    }
    return std::nullopt;
}

void PositionIndex::add(NodeId node, const chess::PackedPosition& position) {
    assert(hashes_.size() == static_cast<std::uint32_t>(node));
    if (hashes_.size() == node_mask) { // so that no slot looks empty
        throw std::length_error{"the graph is full: 268 million positions"};
    }
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
    slots_[at] = slot_of(node, hash);
}

void PositionIndex::grow() {
    // By a quarter only: what stands empty is memory for every position.
    const std::size_t size = std::max<std::size_t>(32, slots_.size() + slots_.size() / 4);
    slots_ = {}; // first, so that old and new never stand side by side
    slots_.assign(size, empty);
    for (std::uint32_t node = 0; node < hashes_.size(); ++node) {
        insert(node, hashes_[node]);
    }
}

void PositionIndex::remember(NodeId node, const chess::Position& position) const {
    if (memory_.empty()) {
        memory_.resize(remembered);
    }
    memory_[static_cast<std::uint32_t>(node) & (remembered - 1)] = {node, position};
}

chess::Position PositionIndex::position(const ValueGraph& graph, NodeId node) const {
    if (!memory_.empty()) {
        const auto& memory = memory_[static_cast<std::uint32_t>(node) & (remembered - 1)];
        if (memory && memory->node == node) {
            return memory->position;
        }
    }
    const chess::Position position = restore(graph, node);
    remember(node, position);
    return position;
}

chess::Position PositionIndex::restore(const ValueGraph& graph, NodeId node) const {
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
    return kept_.memory() + hashes_.memory() + slots_.capacity() * sizeof(slots_[0]) +
           memory_.capacity() * sizeof(memory_[0]);
}

} // namespace adjourn::analysis
