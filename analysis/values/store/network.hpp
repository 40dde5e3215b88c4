// Network: nodes, their moves, and who leads where; the values lie in it, the rules for them do
// not.
//
//   link of a node ──┬── record: what a node needs that has moves, an exact value or no parent
//                    │      block ─→ GraphMove GraphMove GraphMove  (MovePool)
//                    │      parents ─┐
//                    └── parents ────┴─→ the one parent, or a list in `extra_parents_`
//
// Most nodes are leaves with one parent, and those are 4 bytes and nothing else.
#pragma once

#include "analysis/graph.hpp"
#include "analysis/values/store/containers.hpp"
#include "chess/score.hpp"
#include "chess/types.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace adjourn::analysis {

class MovePool {
public:
    static constexpr std::size_t max_count = 4'096; // moves of one node

    MovePool() = default;
    MovePool(const MovePool& other);
    MovePool& operator=(MovePool&&) noexcept = default;

    // A block of `count` moves is named by the index of its first one; addresses hold until the
    // next append().
    GraphMove* at(std::uint32_t block) { return chunks_[block >> shift].get() + (block & mask); }
    const GraphMove* at(std::uint32_t block) const {
        return chunks_[block >> shift].get() + (block & mask);
    }

    // Adds a move behind the `count` moves of `block` and returns the block, which may be another
    // one than before. With count 0 `block` is not looked at.
    std::uint32_t append(std::uint32_t block, std::size_t count, const GraphMove& move);

    // Makes `moves` the block's, which has `count`. They must not lie in it.
    std::uint32_t put(std::uint32_t block, std::size_t count, std::span<const GraphMove> moves);

    std::size_t memory() const;

private:
    static constexpr std::size_t shift = 12;
    static constexpr std::size_t chunk = std::size_t{1} << shift;
    static constexpr std::size_t mask = chunk - 1;

    // Blocks come in these sizes; a freed block waits in the list of its size for the next user.
    static constexpr std::array<std::uint16_t, 21> sizes = {
        1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 3072, 4096};
    static constexpr std::uint32_t none = 0xffff'ffff;

    struct Release {
        void operator()(GraphMove* moves) const;
    };

    static std::size_t size_class(std::size_t count);
    std::uint32_t allocate(std::size_t size_class);
    void release(std::uint32_t block, std::size_t size_class);
    void open_chunk();
    void add_chunk(std::size_t moves);

    std::vector<std::unique_ptr<GraphMove, Release>> chunks_;
    std::size_t used_ = 0;     // of the last chunk
    std::size_t capacity_ = 0; // of the last chunk
    std::array<std::uint32_t, sizes.size()> free_ = [] {
        std::array<std::uint32_t, sizes.size()> lists{};
        lists.fill(none);
        return lists;
    }();
};

// Ranks: game values are kept as Score::rank(). A rank other than 0 says which score it is; rank 0
// is cp 0, since a game value of 0 is a draw whatever it comes from.

constexpr chess::Score score_of_rank(int rank) {
    using chess::Score;
    const int magnitude = rank < 0 ? -rank : rank;
    if (magnitude <= Score::max_cp) {
        return Score::cp(rank);
    }
    const int mate = Score::mate_in(0).rank();
    const int table = Score::tablebase(chess::Wdl::win, 0).rank();
    if (magnitude <= table) {
        return Score::tablebase(rank > 0 ? chess::Wdl::win : chess::Wdl::loss, table - magnitude);
    }
    return rank > 0 ? Score::mate_in(mate - magnitude) : Score::mated_in(mate - magnitude);
}

// Score::backed_up() on ranks.
constexpr int backed_up(int rank) {
    if (rank <= chess::Score::max_cp && rank >= -chess::Score::max_cp) {
        return -rank;
    }
    return score_of_rank(rank).backed_up().rank();
}

// A total order for choosing the best move, so that the choice among equivalent scores (cp 0, a
// tablebase draw, a cursed win) does not depend on which came first.
constexpr bool better(chess::Score a, chess::Score b) {
    return a.rank() != b.rank() ? a.rank() > b.rank() : a.encode() > b.encode();
}

constexpr std::uint32_t index_of(NodeId node) {
    return static_cast<std::uint32_t>(node);
}

// A node is active if it has moves and no exact value. Only moves of active nodes count for plies,
// cycles and values; a node that is not active is a leaf.
struct Record {
    std::uint32_t block = 0;      // in the MovePool
    std::uint32_t parents = 0;    // a link, see Network
    std::uint32_t idea = 0;       // Score::encode(); of an exact node the exact value
    std::int32_t place = 0;       // of active nodes: order, or the group if grouped
    std::int32_t value : 24 = 0;  // rank of the game value
    std::uint32_t phi : 8 = 0;    // φ
    std::uint16_t count : 13 = 0; // moves
    std::uint16_t black : 1 = 0;
    std::uint16_t exact : 1 = 0;
    std::uint16_t grouped : 1 = 0; // in a component of several nodes
    std::uint16_t ply = 0;         // of active nodes

    bool active() const { return count > 0 && !exact; }
    chess::Color turn() const { return black ? chess::Color::black : chess::Color::white; }
    chess::Score idea_score() const { return *chess::Score::decode(idea); }
};

static_assert(sizeof(Record) == 24);

class Network {
public:
    NodeId add_node();
    // Gives a node its record; nothing happens if it has one. φ is at most 255.
    void describe(NodeId node, chess::Color turn, int phi);

    std::size_t node_count() const { return links_.size(); }
    std::size_t record_count() const { return records_.size(); }
    std::size_t move_count() const { return move_count_; }

    bool described(NodeId node) const { return kind(links_[index_of(node)]) == record_link; }
    // Precondition: described(node).
    std::uint32_t record_index(NodeId node) const {
        assert(described(node));
        return links_[index_of(node)] & payload;
    }
    Record& operator[](NodeId node) { return records_[record_index(node)]; }
    const Record& operator[](NodeId node) const { return records_[record_index(node)]; }
    template <class Visit>
    void for_each_record(Visit visit) {
        for (std::size_t index = 0; index < records_.size(); ++index) {
            visit(static_cast<std::uint32_t>(index), records_[index]);
        }
    }
    // Null if there is none.
    const Record* find(NodeId node) const {
        return described(node) ? &records_[record_index(node)] : nullptr;
    }
    const Record* find_active(NodeId node) const {
        const Record* record = find(node);
        return record != nullptr && record->active() ? record : nullptr;
    }

    std::span<const GraphMove> moves(NodeId node) const {
        const Record* record = find(node);
        return record == nullptr || record->count == 0
                   ? std::span<const GraphMove>{}
                   : std::span{pool_.at(record->block), record->count};
    }
    GraphMove& move(NodeId node, std::size_t i) { return pool_.at((*this)[node].block)[i]; }
    void set_trusted(NodeId node, std::size_t i, bool trusted) {
        GraphMove& at = move(node, i);
        trusted_count_ -= at.trusted ? 1 : 0;
        trusted_count_ += trusted ? 1 : 0;
        at.trusted = trusted;
    }
    // Whether any move has the mark.
    bool any_trusted() const { return trusted_count_ > 0; }
    void replace(NodeId source, std::size_t i, const GraphMove& by) { move(source, i) = by; }
    // Without a mark. Precondition: described(source).
    void append(NodeId source, const GraphMove& move);
    // The two halves of it, for many moves together. First the node's moves: those that it has, and
    // others behind them, whose targets mean nothing yet. Then where each leads, once and in their
    // order. Where put() leaves moves out, their targets keep the node as a parent.
    void put(NodeId source, std::span<const GraphMove> moves);
    void link(NodeId source, std::size_t i, NodeId target);
    // Asks the memory for what link() needs of its target; the second once the first has come.
    void prefetch_link(NodeId node) const { __builtin_prefetch(&links_[index_of(node)]); }
    void prefetch_record(NodeId node) const {
        if (described(node)) {
            __builtin_prefetch(&records_[record_index(node)]);
        }
    }

    // Each node that has a move to here once, active or not.
    template <class Visit>
    void for_each_parent(NodeId node, Visit visit) const {
        std::uint32_t link = links_[index_of(node)];
        if (kind(link) == record_link) {
            link = records_[link & payload].parents;
        }
        while (kind(link) == list_link) {
            const ExtraParent& extra = extra_parents_[link & payload];
            visit(NodeId{extra.parent});
            link = extra.next;
        }
        if (link != no_link) {
            visit(NodeId{link});
        }
    }
    std::optional<NodeId> a_parent(NodeId node) const {
        std::optional<NodeId> result;
        for_each_parent(node, [&](NodeId parent) { result = parent; });
        return result;
    }
    // Every move of an active node that leads here: visit(parent, its record, move).
    template <class Visit>
    void for_each_incoming(NodeId node, Visit visit) const {
        for_each_parent(node, [&](NodeId parent) {
            const Record& record = (*this)[parent];
            if (!record.active()) {
                return;
            }
            for (const GraphMove& move : moves(parent)) {
                if (move.target == node) {
                    visit(parent, record, move);
                }
            }
        });
    }

    // The node whose value is the move's; null if the move is worth its engine score.
    const Record* counted_target(const GraphMove& move) const {
        const Record* target = find(move.target);
        return keeps_engine_score(move, target) ? nullptr : target;
    }
    // Whether a move to that node is worth its engine score, whatever comes after it.
    static bool keeps_engine_score(const GraphMove& move, const Record* target) {
        return target == nullptr || (!target->exact && (target->count == 0 || move.trusted));
    }
    // What a move is worth in the game without history: the engine's score, or what is known at its
    // target, a ply further away. Mover's side. As a rank:
    int game_rank(const GraphMove& move) const {
        const Record* target = counted_target(move);
        return target == nullptr ? move.engine_score.rank()
               : target->exact   ? target->idea_score().backed_up().rank()
                                 : backed_up(target->value);
    }
    // As a score that says which kind of draw a leaf is:
    chess::Score game_score(const GraphMove& move) const {
        const Record* target = counted_target(move);
        return target == nullptr || target->exact ? idea_score(move)
                                                  : score_of_rank(target->value).backed_up();
    }
    // What it is worth as idea, if it closes no cycle.
    chess::Score idea_score(const GraphMove& move) const {
        const Record* target = counted_target(move);
        return target == nullptr ? move.engine_score : target->idea_score().backed_up();
    }

    // The support number of a node in a component of several whose game value is not 0. The node
    // has its value from nodes of the same value only if their numbers are smaller. See GameUpdate.
    std::uint32_t support(NodeId node) const {
        const std::uint32_t* known = supports_.find(index_of(node));
        return known == nullptr ? 0 : *known;
    }
    void set_support(NodeId node, std::uint32_t support) {
        *supports_.insert(index_of(node), support).first = support;
    }

    std::size_t memory() const;

private:
    // Links have two bits of kind over 30 bits of payload.
    static constexpr std::uint32_t payload = (std::uint32_t{1} << 30) - 1;
    static constexpr std::uint32_t parent_link = 0; // the only parent
    static constexpr std::uint32_t list_link = 1;   // in extra_parents_
    static constexpr std::uint32_t record_link = 2;
    static constexpr std::uint32_t no_link = 0xffff'ffff;
    static std::uint32_t kind(std::uint32_t link) { return link >> 30; }
    void add_parent(NodeId node, NodeId parent);

    struct ExtraParent {
        std::uint32_t parent;
        std::uint32_t next; // a link
    };

    ChunkedVector<std::uint32_t> links_;
    ChunkedVector<Record> records_;
    ChunkedVector<ExtraParent> extra_parents_;
    MovePool pool_;
    FlatMap<std::uint32_t> supports_;
    std::size_t move_count_ = 0;
    std::size_t trusted_count_ = 0;
};

} // namespace adjourn::analysis
