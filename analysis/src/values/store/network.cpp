#include "network.hpp"

#include <algorithm>

namespace adjourn::analysis {

NodeId Network::add_node() {
    assert(links_.size() < payload);
    const NodeId node{static_cast<std::uint32_t>(links_.size())};
    links_.push_back(no_link);
    return node;
}

void Network::describe(NodeId node, chess::Color turn, int phi) {
    assert(phi >= 0 && phi <= std::numeric_limits<std::uint8_t>::max());
    if (described(node)) {
        assert((*this)[node].turn() == turn && (*this)[node].phi == phi);
        return;
    }
    Record record;
    record.phi = static_cast<std::uint8_t>(phi);
    record.black = turn == chess::Color::black;
    record.parents = links_[index_of(node)];
    links_[index_of(node)] = record_link << 30 | static_cast<std::uint32_t>(records_.size());
    records_.push_back(record);
    marks_.push_back({});
}

void Network::append(NodeId source, const GraphMove& move) {
    Record& record = (*this)[source];
    assert(record.count < MovePool::max_count && move.target != source);
    const auto known = moves(source);
    const bool again = std::any_of(known.begin(), known.end(), [&](const GraphMove& other) {
        return other.target == move.target;
    });
    record.block = pool_.append(record.block, record.count, move);
    pool_.at(record.block)[record.count].trusted = false;
    ++record.count;
    ++move_count_;
    efforts_.note(move.effort);
    if (!again) {
        add_parent(move.target, source);
    }
}

void Network::put(NodeId source, std::span<const GraphMove> moves) {
    Record& record = (*this)[source];
    assert(moves.size() >= record.count && moves.size() <= MovePool::max_count);
    move_count_ += moves.size() - record.count;
    for (const GraphMove& move : moves) {
        efforts_.note(move.effort);
    }
    record.block = pool_.put(record.block, record.count, moves);
    record.count = static_cast<decltype(Record::count)>(moves.size());
}

void Network::link(NodeId source, std::size_t i, NodeId target) {
    GraphMove* moves = pool_.at((*this)[source].block);
    assert(target != source);
    moves[i].target = target;
    if (std::none_of(moves, moves + i, [&](const GraphMove& m) { return m.target == target; })) {
        add_parent(target, source);
    }
}

void Network::add_parent(NodeId node, NodeId parent) {
    std::uint32_t& link = described(node) ? (*this)[node].parents : links_[index_of(node)];
    if (link == no_link) {
        link = index_of(parent);
    } else {
        extra_parents_.push_back({index_of(parent), link});
        link = list_link << 30 | static_cast<std::uint32_t>(extra_parents_.size() - 1);
    }
}

std::size_t Network::memory() const {
    return links_.memory() + records_.memory() + marks_.memory() + extra_parents_.memory() +
           pool_.memory() + supports_.memory();
}

} // namespace adjourn::analysis
