#include "analysis/graph/position_index.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace adjourn::analysis {

std::uint32_t PositionIndex::hash(const chess::PackedPosition& position) {
    return static_cast<std::uint32_t>(chess::PackedPositionHash{}(position) >> 32);
}

std::optional<NodeId> PositionIndex::find(const ValueGraph& graph,
                                          const chess::PackedPosition& position) const {
    return find(hash(position), [&](NodeId node) { return packed(graph, node) == position; });
}

std::optional<NodeId> PositionIndex::prefetch_hash(std::uint32_t hash) const {
    if (slots_.empty()) {
        return std::nullopt;
    }
    for (std::size_t at = home(hash); slots_[at] != empty; at = after(at)) {
        const std::uint32_t index = slots_[at] & node_mask;
        if (slot_of(index, hash) == slots_[at]) {
            __builtin_prefetch(&hashes_[index]);
            return NodeId{index};
        }
    }
    return std::nullopt;
}

void PositionIndex::add(NodeId node, const chess::PackedPosition& position) {
    add(node, hash(position));
}

void PositionIndex::add(NodeId node, std::uint32_t hash) {
    assert(hashes_.size() == static_cast<std::uint32_t>(node));
    if (hashes_.size() == node_mask) { // so that no slot looks empty
        throw std::length_error{"the graph is full: 268 million positions"};
    }
    if ((hashes_.size() + 1) * 5 > slots_.size() * 4) {
        // By a quarter only: what stands empty is memory for every position.
        resize(std::max<std::size_t>(32, slots_.size() + slots_.size() / 4));
    }
    hashes_.push_back(hash);
    insert(static_cast<std::uint32_t>(node), hash);
}

void PositionIndex::reserve(std::size_t nodes) {
    const std::size_t wanted = nodes + nodes / 4 + 32;
    if (slots_.size() < wanted) {
        resize(wanted);
    }
}

void PositionIndex::fit() {
    const std::size_t wanted = hashes_.size() + hashes_.size() / 4 + 32;
    if (slots_.size() > wanted + wanted / 4) {
        resize(wanted);
    }
}

void PositionIndex::insert(std::uint32_t node, std::uint32_t hash) {
    std::size_t at = home(hash);
    while (slots_[at] != empty) {
        at = after(at);
    }
    slots_[at] = slot_of(node, hash);
}

void PositionIndex::resize(std::size_t slots) {
    constexpr std::uint32_t ahead = 16;
    slots_ = {}; // first, so that old and new never stand side by side
    slots_.assign(slots, empty);
    const auto count = static_cast<std::uint32_t>(hashes_.size());
    for (std::uint32_t node = 0; node < count; ++node) {
        prefetch(hashes_[std::min(node + ahead, count - 1)]);
        insert(node, hashes_[node]);
    }
}

void PositionIndex::remember(NodeId node, const chess::Position& position) const {
    if (!memory_->taken.test_and_set(std::memory_order_acquire)) {
        memory_->at(node) = {node, position};
        memory_->taken.clear(std::memory_order_release);
    }
}

std::optional<chess::Position> PositionIndex::recall(NodeId node) const {
    std::optional<chess::Position> position;
    if (!memory_->taken.test_and_set(std::memory_order_acquire)) {
        if (const auto& known = memory_->at(node); known && known->node == node) {
            position = known->position;
        }
        memory_->taken.clear(std::memory_order_release);
    }
    return position;
}

chess::Position PositionIndex::position(const ValueGraph& graph, NodeId node) const {
    if (const auto known = recall(node)) {
        return *known;
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
           sizeof(Memory);
}

} // namespace adjourn::analysis
