// PositionIndex: which position a node stands for, and back. Exact: positions are compared, hashes
// only speed it up. Described nodes keep their position; a leaf's follows from a parent's, which is
// most of the memory saved, since most nodes are leaves.
#pragma once

#include "values/store/chunked_vector.hpp"
#include "values/value_graph.hpp"

#include "chess/position.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace adjourn::analysis {

class PositionIndex {
public:
    std::optional<NodeId> find(const ValueGraph& graph,
                               const chess::PackedPosition& position) const;
    // The position is not in the index and the node is the graph's newest. Throws std::length_error
    // beyond 268 million positions.
    void add(NodeId node, const chess::PackedPosition& position);
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

    struct Memory {
        NodeId node;
        chess::Position position;
    };

    // A slot holds a node and, above it, the low bits of its hash, which save most looks at
    // hashes_.
    static constexpr int node_bits = 28;
    static constexpr std::uint32_t node_mask = (std::uint32_t{1} << node_bits) - 1;
    static std::uint32_t slot_of(std::uint32_t node, std::uint32_t hash) {
        return node | hash << node_bits;
    }

    static std::uint32_t hash(const chess::PackedPosition& position);
    std::size_t home(std::uint32_t hash) const { return hash * std::uint64_t{slots_.size()} >> 32; }
    chess::Position restore(const ValueGraph& graph, NodeId node) const;
    void insert(std::uint32_t node, std::uint32_t hash);
    void grow();

    ChunkedVector<chess::PackedPosition> kept_; // by record index
    ChunkedVector<std::uint32_t> hashes_;       // by node
    std::vector<std::uint32_t> slots_;          // open addressing, linear
    mutable std::vector<std::optional<Memory>> memory_;
};

} // namespace adjourn::analysis
