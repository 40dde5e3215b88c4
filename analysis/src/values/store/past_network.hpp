// PastNetwork: a network as it was at an earlier moment. It keeps only the moves and values that
// differ from the present network, so it costs what has changed. All its moves are moves of the
// present: others may be missing, scores and efforts may be others.
//
// The present network may change between two uses: refresh() comes next.
#pragma once

#include "flat_map.hpp"
#include "network.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace adjourn::analysis {

class PastNetwork : public NetworkReading<PastNetwork> {
public:
    explicit PastNetwork(const Network& present) : present_{present} {}

    bool described(NodeId node) const { return present_.described(node); }
    // Null if there is none. Until the next change.
    const Record* find(NodeId node) const {
        const Entry* entry = entries_.find(index_of(node));
        return entry != nullptr ? &entry->record : present_.find(node);
    }
    const Record& operator[](NodeId node) const { return *find(node); }
    std::span<const GraphMove> moves(NodeId node) const {
        const Entry* entry = entries_.find(index_of(node));
        return entry != nullptr && entry->moves != none ? std::span{moves_[entry->moves]}
                                                        : present_.moves(node);
    }
    // Each node that has a move to here once.
    template <class Visit>
    void for_each_parent(NodeId node, Visit visit) const {
        present_.for_each_parent(node, [&](NodeId parent) {
            const Entry* entry = entries_.find(index_of(parent));
            if (entry == nullptr || entry->moves == none || leads_to(moves_[entry->moves], node)) {
                visit(parent);
            }
        });
    }
    std::uint32_t support(NodeId node) const {
        const Entry* entry = entries_.find(index_of(node));
        return entry != nullptr && entry->supported ? entry->support : present_.support(node);
    }
    // Whether any move may have the mark.
    bool any_trusted() const { return any_trusted_ || present_.any_trusted(); }
    // No move has less, or more.
    Network::Efforts efforts() const;

    const Network& present() const { return present_; }
    // Whether the node's value is kept here.
    bool kept(NodeId node) const { return entries_.contains(index_of(node)); }
    bool has_own_moves(NodeId node) const {
        const Entry* entry = entries_.find(index_of(node));
        return entry != nullptr && entry->moves != none;
    }

    // Precondition of all: described.
    void set_moves(NodeId node, std::vector<GraphMove> moves);
    // As it is from now on, whatever becomes of the present network's.
    void keep_moves(NodeId node);
    // Precondition: has_own_moves(node).
    void set_trusted(NodeId node, std::size_t i, bool trusted);
    void set_value(NodeId node, int rank) { entry(node).record.value = rank; }
    void set_support(NodeId node, std::uint32_t support);
    // The present network has changed.
    void refresh();

private:
    static constexpr std::uint32_t none = 0xffff'ffff;

    struct Entry {
        Record record; // its value and its number of moves; all else as in the present network
        std::uint32_t moves = none; // index in moves_
        std::uint32_t support = 0;
        bool supported = false;
    };

    Entry& entry(NodeId node);
    static bool leads_to(std::span<const GraphMove> moves, NodeId node);

    const Network& present_;
    FlatMap<Entry> entries_;    // by node
    std::vector<NodeId> nodes_; // of entries_
    std::vector<std::vector<GraphMove>> moves_;
    Network::Efforts efforts_; // of moves_
    bool any_trusted_ = false;
};

} // namespace adjourn::analysis
