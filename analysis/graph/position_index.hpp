// PositionIndex: which position a node stands for, and back. Exact: positions are compared, hashes
// only speed it up. Described nodes keep their position; a leaf's follows from a parent's, which is
// most of the memory saved, since most nodes are leaves.
//
// Any number of threads may read while none writes.
#pragma once

#include "analysis/values/store/containers.hpp"
#include "analysis/values/value_graph.hpp"

#include "chess/position.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace adjourn::analysis {

class PositionIndex {
public:
    PositionIndex() = default;
    PositionIndex(const PositionIndex& other)
        : kept_{other.kept_}, hashes_{other.hashes_}, slots_{other.slots_} {}
    PositionIndex& operator=(PositionIndex&&) noexcept = default;

    std::optional<NodeId> find(const ValueGraph& graph,
                               const chess::PackedPosition& position) const;
    // The position is not in the index and the node is the graph's newest. Throws std::length_error
    // beyond 268 million positions.
    void add(NodeId node, const chess::PackedPosition& position);
    // The same by the position's hash.
    void add(NodeId node, std::uint32_t hash);
    // Some 32 bits of a good hash.
    static std::uint32_t hash(const chess::PackedPosition& position);
    // As find(), where the caller knows what the nodes stand for: same(node) is asked of those
    // whose hash is this.
    template <class Same>
    std::optional<NodeId> find(std::uint32_t hash, Same same) const {
        if (slots_.empty()) {
            return std::nullopt;
        }
        for (std::size_t at = home(hash); slots_[at] != empty; at = after(at)) {
            const std::uint32_t index = slots_[at] & node_mask;
            if (slot_of(index, hash) == slots_[at] && hashes_[index] == hash &&
                same(NodeId{index})) {
                return NodeId{index};
            }
        }
        return std::nullopt;
    }
    // For many look-ups side by side: asks the memory for what find() looks at first, and, once
    // that has come, tells the node that it will most probably compare, if any.
    void prefetch(std::uint32_t hash) const {
        if (!slots_.empty()) {
            __builtin_prefetch(&slots_[home(hash)]);
        }
    }
    std::optional<NodeId> prefetch_hash(std::uint32_t hash) const;
    void prefetch_kept(std::uint32_t record) const { __builtin_prefetch(&kept_[record]); }
    // Makes room for so many nodes in all; fit() gives back what is not used.
    void reserve(std::size_t nodes);
    void fit();
    // The node is the graph's newest described one.
    void keep(const chess::PackedPosition& position) { kept_.push_back(position); }

    const chess::PackedPosition& kept(std::uint32_t record) const { return kept_[record]; }
    // Remembers some: what is asked for is mostly asked for again, by the walk as by the next
    // answer.
    chess::Position position(const ValueGraph& graph, NodeId node) const;
    chess::PackedPosition packed(const ValueGraph& graph, NodeId node) const;
    void remember(NodeId node, const chess::Position& position) const;

    std::size_t memory() const;

private:
    static constexpr std::uint32_t empty = 0xffff'ffff;
    static constexpr std::size_t remembered = 1'024; // a power of two

    // Positions that were asked for. Nobody waits for it: who finds it taken does without.
    struct Memory {
        struct One {
            NodeId node;
            chess::Position position;
        };

        std::atomic_flag taken;
        std::array<std::optional<One>, remembered> positions;

        std::optional<One>& at(NodeId node) {
            return positions[static_cast<std::uint32_t>(node) & (remembered - 1)];
        }
    };

    // A slot holds a node and, above it, the low bits of its hash, which save most looks at
    // hashes_.
    static constexpr int node_bits = 28;
    static constexpr std::uint32_t node_mask = (std::uint32_t{1} << node_bits) - 1;
    static std::uint32_t slot_of(std::uint32_t node, std::uint32_t hash) {
        return node | hash << node_bits;
    }

    std::size_t home(std::uint32_t hash) const { return hash * std::uint64_t{slots_.size()} >> 32; }
    std::optional<chess::Position> recall(NodeId node) const;
    chess::Position restore(const ValueGraph& graph, NodeId node) const;
    std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
    void insert(std::uint32_t node, std::uint32_t hash);
    void resize(std::size_t slots);

    ChunkedVector<chess::PackedPosition> kept_;                   // by record index
    ChunkedVector<std::uint32_t> hashes_;                         // by node
    std::vector<std::uint32_t> slots_;                            // open addressing, linear
    std::unique_ptr<Memory> memory_ = std::make_unique<Memory>(); // readers write it, too
};

} // namespace adjourn::analysis
