#include "past_network.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::analysis {

bool PastNetwork::leads_to(std::span<const GraphMove> moves, NodeId node) {
    return std::ranges::any_of(moves, [&](const GraphMove& move) { return move.target == node; });
}

PastNetwork::Entry& PastNetwork::entry(NodeId node) {
    const auto [entry, is_new] = entries_.insert(index_of(node), {});
    if (is_new) {
        entry->record = present_[node];
        nodes_.push_back(node);
    }
    return *entry;
}

Network::Efforts PastNetwork::efforts() const {
    Network::Efforts all = present_.efforts();
    all.least = std::min(all.least, efforts_.least);
    all.most = std::max(all.most, efforts_.most);
    return all;
}

void PastNetwork::set_moves(NodeId node, std::vector<GraphMove> moves) {
    Entry& own = entry(node);
    own.record.count = static_cast<decltype(Record::count)>(moves.size());
    for (const GraphMove& move : moves) {
        efforts_.note(move.effort);
        any_trusted_ = any_trusted_ || move.trusted;
    }
    if (own.moves == none) {
        own.moves = static_cast<std::uint32_t>(moves_.size());
        moves_.emplace_back();
    }
    moves_[own.moves] = std::move(moves);
}

void PastNetwork::keep_moves(NodeId node) {
    if (!has_own_moves(node)) {
        const auto moves = present_.moves(node);
        set_moves(node, {moves.begin(), moves.end()});
    }
}

void PastNetwork::set_trusted(NodeId node, std::size_t i, bool trusted) {
    moves_[entry(node).moves][i].trusted = trusted;
    any_trusted_ = any_trusted_ || trusted;
}

void PastNetwork::set_support(NodeId node, std::uint32_t support) {
    Entry& own = entry(node);
    own.support = support;
    own.supported = true;
}

void PastNetwork::refresh() {
    for (const NodeId node : nodes_) {
        Entry& own = *entries_.find(index_of(node));
        Record now = present_[node];
        now.value = own.record.value;
        now.count = own.moves != none ? own.record.count : now.count;
        own.record = now;
    }
}

} // namespace adjourn::analysis
