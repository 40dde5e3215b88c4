#include "analysis/values/store/network.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

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
    if (!again) {
        add_parent(move.target, source);
    }
}

void Network::put(NodeId source, std::span<const GraphMove> moves) {
    Record& record = (*this)[source];
    assert(moves.size() <= MovePool::max_count);
    move_count_ += moves.size() - record.count;
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
    return links_.memory() + records_.memory() + extra_parents_.memory() + pool_.memory() +
           supports_.memory();
}

namespace {

GraphMove* allocate_moves(std::size_t count) {
    return static_cast<GraphMove*>(::operator new(count * sizeof(GraphMove)));
}

} // namespace

void MovePool::Release::operator()(GraphMove* moves) const {
    ::operator delete(moves);
}

MovePool::MovePool(const MovePool& other)
    : used_{other.used_}, capacity_{other.capacity_}, free_{other.free_} {
    for (const auto& from : other.chunks_) {
        const std::size_t size = &from == &other.chunks_.back() ? capacity_ : chunk;
        void* const moves = ::operator new(size * sizeof(GraphMove));
        chunks_.emplace_back(static_cast<GraphMove*>(moves));
        std::memcpy(moves, from.get(), size * sizeof(GraphMove));
    }
}

std::size_t MovePool::size_class(std::size_t count) {
    assert(count >= 1 && count <= max_count);
    return static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), count) -
                                    sizes.begin());
}

std::uint32_t MovePool::append(std::uint32_t block, std::size_t count, const GraphMove& move) {
    const std::size_t wanted = size_class(count + 1);
    if (count == 0) {
        block = allocate(wanted);
    } else if (const std::size_t present = size_class(count); present != wanted) {
        const std::uint32_t larger = allocate(wanted);
        std::uninitialized_copy_n(at(block), count, at(larger));
        release(block, present);
        block = larger;
    }
    ::new (at(block) + count) GraphMove(move);
    return block;
}

std::uint32_t MovePool::put(std::uint32_t block, std::size_t count,
                            std::span<const GraphMove> moves) {
    if (moves.empty()) {
        return block;
    }
    const std::size_t wanted = size_class(moves.size());
    if (count == 0) {
        block = allocate(wanted);
    } else if (const std::size_t present = size_class(count); present != wanted) {
        release(block, present);
        block = allocate(wanted);
    }
    std::uninitialized_copy(moves.begin(), moves.end(), at(block));
    return block;
}

std::uint32_t MovePool::allocate(std::size_t size_class) {
    if (free_[size_class] != none) {
        const std::uint32_t block = free_[size_class];
        std::memcpy(&free_[size_class], static_cast<const void*>(at(block)), sizeof(std::uint32_t));
        return block;
    }
    const std::size_t size = sizes[size_class];
    while (used_ + size > capacity_) {
        open_chunk();
    }
    const std::size_t block = (chunks_.size() - 1) * chunk + used_;
    used_ += size;
    return static_cast<std::uint32_t>(block);
}

// The list of free blocks runs through their own first bytes.
void MovePool::release(std::uint32_t block, std::size_t size_class) {
    std::memcpy(static_cast<void*>(at(block)), &free_[size_class], sizeof(std::uint32_t));
    free_[size_class] = block;
}

void MovePool::open_chunk() {
    if (chunks_.size() == 1 && capacity_ < chunk) { // the first chunk starts small
        const std::size_t larger = 2 * capacity_;
        std::unique_ptr<GraphMove, Release> moves{allocate_moves(larger)};
        std::memcpy(static_cast<void*>(moves.get()), chunks_[0].get(), used_ * sizeof(GraphMove));
        chunks_[0] = std::move(moves);
        capacity_ = larger;
        return;
    }
    while (used_ < capacity_) { // what is left over, in blocks as large as fit
        const auto larger = std::upper_bound(sizes.begin(), sizes.end(), capacity_ - used_);
        const auto index = static_cast<std::size_t>(larger - sizes.begin()) - 1;
        release(static_cast<std::uint32_t>((chunks_.size() - 1) * chunk + used_), index);
        used_ += sizes[index];
    }
    assert(chunks_.size() < (std::size_t{1} << (32 - shift)));
    capacity_ = chunks_.empty() ? 16 : chunk;
    add_chunk(capacity_);
    used_ = 0;
}

void MovePool::add_chunk(std::size_t moves) {
    chunks_.emplace_back(allocate_moves(moves));
}

std::size_t MovePool::memory() const {
    const std::size_t full = chunks_.empty() ? 0 : chunks_.size() - 1;
    return (full * chunk + capacity_) * sizeof(GraphMove) + chunks_.capacity() * sizeof(chunks_[0]);
}

} // namespace adjourn::analysis
