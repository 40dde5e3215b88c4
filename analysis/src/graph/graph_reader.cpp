// The facts of a position are gathered, and worked in together: its moves get their place side by
// side, and what they lead to is only noted. When all facts are in, each position that has moves is
// a node, so one pass over the notes says where every move leads. Both steps look up positions that
// are anywhere in memory; each asks for several before it needs the first, because waiting for
// memory is what costs most of the time.
#include "analysis/graph_reader.hpp"

#include "graph_impl.hpp"
#include "values/store/chunked_vector.hpp"
#include "values/store/network.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace adjourn::analysis {

namespace {

// What a fact says of its position's moves.
struct MoveFact {
    GraphMove move;
    std::uint32_t excluded_begin; // of the group's
    std::uint32_t excluded_end;
};

// Facts of one position that came one after the other.
struct Group {
    chess::PackedPosition position;
    std::uint32_t hash = 0;
    std::vector<MoveFact> move_facts;
    std::vector<chess::Move> excluded;
};

// Where a move leads, until that is a node.
struct Target {
    chess::PackedPosition position;
    enum class End : std::uint8_t { no, mate, draw } end;
};
static_assert(sizeof(Target) == 25);

Target target_of(const chess::Position& position) {
    const auto exact = exact_by_rule(position);
    return {position.packed(), !exact           ? Target::End::no
                               : exact->is_cp() ? Target::End::draw
                                                : Target::End::mate};
}

} // namespace

struct GraphReader::Parts {
    Parts(std::shared_ptr<const Tables> tables, Basis basis)
        : impl{std::make_unique<Graph::Impl>(std::move(tables), std::move(basis))} {
        impl->values.begin_bulk();
    }

    std::unique_ptr<Graph::Impl> impl;
    // The last groups; the newest is still gathered, the others wait for memory.
    static constexpr std::size_t waiting = 8;
    std::array<Group, waiting> groups;
    std::size_t newest = 0;

    ChunkedVector<Target> targets; // a move's target is its number here, until all facts are in
    // For one group at a time.
    std::vector<GraphMove> moves;
    RestFact rest{{}, 0, chess::Score::cp(0)};

    // ---- facts ----

    void take(const Evaluation& fact) {
        const double effort = analysis::effort(fact.question.limit);
        const bool small = effort < impl->basis.least_effort;
        if (!gives_score(fact) || (small && !large_enough(impl->basis, fact))) {
            return;
        }
        Group* group = &groups[newest];
        if (group->move_facts.empty() || group->position != fact.question.position) {
            newest = (newest + 1) % waiting;
            group = &groups[newest];
            work_in(*group);
            group->position = fact.question.position;
            group->hash = PositionIndex::hash(group->position);
            impl->index.prefetch(group->hash);
        }
        const auto begin = static_cast<std::uint32_t>(group->excluded.size());
        group->excluded.insert(group->excluded.end(), fact.question.excluded.begin(),
                               fact.question.excluded.end());
        group->move_facts.push_back(
            {scored_move(fact), begin, static_cast<std::uint32_t>(group->excluded.size())});
    }

    void work_in_all() {
        for (std::size_t i = 1; i <= waiting; ++i) { // the oldest first
            work_in(groups[(newest + i) % waiting]);
        }
    }

    void work_in(Group& group) {
        if (!group.move_facts.empty()) {
            if (const auto position = chess::Position::unpack(group.position)) {
                work_in(group, *position);
            }
        }
        group.move_facts.clear();
        group.excluded.clear();
    }

    void work_in(Group& group, const chess::Position& position) {
        const chess::MoveList legal = position.legal_moves();
        std::erase_if(group.move_facts,
                      [&](const MoveFact& fact) { return !legal.contains(fact.move.move); });
        if (group.move_facts.empty()) {
            return;
        }
        const NodeId node = intern(group, position);
        const auto known = impl->values.moves(node);
        moves.assign(known.begin(), known.end());
        for (const MoveFact& fact : group.move_facts) {
            const std::span excluded = std::span{group.excluded}.subspan(
                fact.excluded_begin, fact.excluded_end - fact.excluded_begin);
            work_in(node, group.position, position, legal, fact.move, excluded);
        }
        impl->values.put_moves(node, moves);
    }

    NodeId intern(const Group& group, const chess::Position& position) {
        const auto same = [&](NodeId node) {
            return impl->index.kept(index_of(node)) == group.position;
        };
        if (const auto known = impl->index.find(group.hash, same)) {
            return *known;
        }
        const NodeId node = impl->values.add_node();
        impl->index.add(node, group.hash);
        impl->describe(node, position, group.position);
        assert(impl->values.record_index(node) == index_of(node)); // as `same` has it
        if (const auto value = impl->exact(position)) {
            impl->values.set_exact(node, *value);
        }
        return node;
    }

    // What Graph::apply() does with values, without them.
    void work_in(NodeId node, const chess::PackedPosition& packed, const chess::Position& position,
                 const chess::MoveList& legal, GraphMove scored,
                 std::span<const chess::Move> excluded) {
        const auto [i, known, in_force] = impl->standing(moves, packed, scored);
        impl->values.note_fact(node, scored.at, in_force && !known);
        std::optional<RestFact> replaced;
        if (in_force && !known) {
            scored.target = NodeId{static_cast<std::uint32_t>(targets.size())};
            targets.push_back(target_of(position.after(scored.move)));
            moves.push_back(scored);
        } else if (in_force) {
            replaced = RestFacts::held(moves, i);
            scored.target = moves[i].target;
            moves[i] = scored;
        }
        if (had_choice(legal, excluded, scored.move)) {
            set_rest(rest, excluded, scored);
            const auto added =
                impl->rest.add(moves, node, rest, in_force ? std::optional{i} : std::nullopt);
            if (added.note) {
                moves[i].rest_note = *added.note;
            }
        }
        if (replaced) {
            (void)impl->rest.add(moves, node, *replaced, std::nullopt);
        }
    }

    // ---- where moves lead ----

    struct Open {
        NodeId source;
        std::size_t move;
        std::uint32_t target; // in targets
        std::uint32_t hash;
        std::optional<NodeId> likely;
    };
    static constexpr std::size_t at_once = 64;

    std::uint32_t described = 0;               // nodes before this have facts
    ChunkedVector<std::uint32_t> leaf_targets; // of the others: which position they are

    const chess::PackedPosition& position_of(NodeId node) const {
        return index_of(node) < described
                   ? impl->index.kept(index_of(node))
                   : targets[leaf_targets[index_of(node) - described]].position;
    }

    void link_all() {
        described = static_cast<std::uint32_t>(impl->values.node_count());
        impl->index.reserve(described + targets.size());
        std::vector<Open> open;
        for (std::uint32_t n = 0; n < described; ++n) {
            const auto of_node = impl->values.moves(NodeId{n});
            for (std::size_t i = 0; i < of_node.size(); ++i) {
                const std::uint32_t target = index_of(of_node[i].target);
                const std::uint32_t hash = PositionIndex::hash(targets[target].position);
                impl->index.prefetch(hash);
                open.push_back({NodeId{n}, i, target, hash, std::nullopt});
            }
            if (open.size() >= at_once) {
                link(open);
            }
        }
        link(open);
        impl->index.fit();
    }

    void link(std::vector<Open>& open) {
        for (Open& one : open) {
            one.likely = impl->index.prefetch_hash(one.hash);
            if (one.likely) {
                impl->values.prefetch_link(*one.likely);
                if (index_of(*one.likely) < described) {
                    impl->index.prefetch_kept(index_of(*one.likely));
                }
            }
        }
        for (const Open& one : open) {
            if (one.likely) {
                impl->values.prefetch_record(*one.likely);
                if (index_of(*one.likely) >= described) {
                    __builtin_prefetch(&position_of(*one.likely));
                }
            }
        }
        for (const Open& one : open) {
            impl->values.link_move(one.source, one.move, intern(one));
        }
        open.clear();
    }

    NodeId intern(const Open& open) {
        const Target& target = targets[open.target];
        const auto same = [&](NodeId node) { return position_of(node) == target.position; };
        if (const auto known = impl->index.find(open.hash, same)) {
            return *known;
        }
        const NodeId node = impl->values.add_node();
        impl->index.add(node, open.hash);
        leaf_targets.push_back(open.target);
        if (target.end != Target::End::no || impl->tables) {
            const chess::Position position = *chess::Position::unpack(target.position);
            if (const auto value = impl->exact(position)) {
                impl->describe(node, position, target.position);
                impl->values.set_exact(node, *value);
            }
        }
        return node;
    }
};

GraphReader::GraphReader(std::shared_ptr<const Tables> tables, Basis basis)
    : parts_{std::make_unique<Parts>(std::move(tables), std::move(basis))} {}
GraphReader::~GraphReader() = default;
GraphReader::GraphReader(GraphReader&&) noexcept = default;
GraphReader& GraphReader::operator=(GraphReader&&) noexcept = default;

void GraphReader::take(const Evaluation& fact) {
    parts_->take(fact);
}

Graph GraphReader::finish(std::span<const chess::Position> roots) {
    parts_->work_in_all();
    parts_->link_all();
    Graph graph;
    graph.impl_ = std::move(parts_->impl);
    parts_.reset(); // its memory first: the solution needs some, too
    for (const chess::Position& root : roots) {
        graph.add_root(graph.intern(root));
    }
    graph.end_bulk();
    return graph;
}

} // namespace adjourn::analysis
