#include "analysis/graph.hpp"
#include "analysis/graph/position_index.hpp"
#include "analysis/graph/rest_facts.hpp"
#include "analysis/values/solve/game_update.hpp"
#include "analysis/values/store/network.hpp"
#include "analysis/values/value_graph.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::analysis {

namespace {

constexpr UnixMs last_time = (UnixMs{1} << 46) - 1; // what GraphMove::at has room for
constexpr double much_larger = 1.5; // of a joint search, than the graph's least effort

// Precondition: the fact has a move and a score. Where it leads is still to be told.
GraphMove scored_move(const Evaluation& fact) {
    const UnixMs at = std::clamp(fact.at, -last_time, last_time);
    return GraphMove{*fact.score, NodeId{}, effort(fact.question.limit), fact.id, *fact.move, at};
}

std::optional<chess::Score> exact_by_rule(const chess::Position& position) {
    const chess::Terminal end = position.terminal();
    if (end == chess::Terminal::no) {
        return std::nullopt;
    }
    return end == chess::Terminal::checkmate ? chess::Score::mated_in(0) : chess::Score::cp(0);
}

// Whether the search had another move to choose from than the one that it chose.
bool had_choice(const chess::MoveList& legal, std::span<const chess::Move> excluded,
                chess::Move chosen) {
    return legal.size() > excluded.size() + 1 || std::ranges::any_of(legal, [&](chess::Move move) {
               return move != chosen && !base::contains(excluded, move);
           });
}

// Its index, or the number of moves.
std::size_t find_move(std::span<const GraphMove> moves, chess::Move move) {
    const auto at = std::ranges::find(moves, move, &GraphMove::move);
    return static_cast<std::size_t>(at - moves.begin());
}

bool goes_before(const GraphMove& a, const GraphMove& b) {
    return std::tuple{a.effort, UnixMs{a.at}, EvaluationId{a.evaluation}} >
           std::tuple{b.effort, UnixMs{b.at}, EvaluationId{b.evaluation}};
}

// What a question that left `excluded` out says of the moves that it had. In `rest`, whose memory
// is used again.
void set_rest(RestFact& rest, std::span<const chess::Move> excluded, const GraphMove& scored) {
    rest.excluded.assign(excluded.begin(), excluded.end());
    std::ranges::sort(rest.excluded);
    rest.excluded.erase(std::unique(rest.excluded.begin(), rest.excluded.end()),
                        rest.excluded.end());
    rest.effort = scored.effort;
    rest.score = scored.engine_score;
}

// How a scored move meets the moves that its position has.
struct Standing {
    std::size_t i = 0; // its index, or the number of moves
    bool known = false;
    bool in_force = false; // it is new, or goes before the one that is there
};

// The same, where the moves that the graph knows already say so.
bool known_choice(std::span<const GraphMove> moves, const std::vector<chess::Move>& excluded,
                  chess::Move chosen) {
    return std::any_of(moves.begin(), moves.end(), [&](const GraphMove& other) {
        return other.move != chosen && !base::contains(excluded, other.move);
    });
}

void insert_sorted(std::vector<NodeId>& nodes, NodeId node) {
    const auto at = std::lower_bound(nodes.begin(), nodes.end(), node);
    if (at == nodes.end() || *at != node) {
        nodes.insert(at, node);
    }
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
    return hash ^ hash >> 29;
}

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

struct Graph::Impl {
    Impl(std::shared_ptr<const Tables> known, Basis of)
        : tables{std::move(known)}, basis{std::move(of)} {
        assert(std::is_sorted(basis.excluded.begin(), basis.excluded.end()));
    }

    std::shared_ptr<const Tables> tables;
    Basis basis;
    ValueGraph values;
    PositionIndex index;
    RestFacts rest;
    std::unordered_map<NodeId, std::vector<JointSearch>> joint;

    // Nearly all facts are not, and need no look at the legal moves.
    bool may_be_joint(std::span<const chess::Move> left_out, const GraphMove& scored) const {
        return !left_out.empty() && scored.effort >= basis.least_effort + much_larger;
    }

    // Returns whether it is a new one.
    bool note_joint(NodeId node, const chess::PackedPosition& packed, const chess::MoveList& legal,
                    std::span<const chess::Move> left_out, const GraphMove& scored) {
        if (legal.size() > left_out.size() + JointSearch::most_moves) {
            return false; // nearly every search for an alternative
        }
        JointSearch found{{},
                          scored.move,
                          scored.engine_score,
                          scored.effort,
                          scored.at,
                          EvaluationId{scored.evaluation}};
        for (const chess::Move move : legal) {
            if (!base::contains(left_out, move)) {
                found.among.push_back(move);
            }
        }
        if (found.among.size() < 2 || found.among.size() > JointSearch::most_moves ||
            std::ranges::any_of(found.among,
                                [&](chess::Move move) { return excluded(packed, move); })) {
            return false;
        }
        std::ranges::sort(found.among);
        auto& here = joint[node];
        if (std::ranges::find(here, found) != here.end()) {
            return false;
        }
        const auto size = [](const JointSearch& search) {
            return std::tuple{search.effort, search.at, search.evaluation};
        };
        here.insert(std::ranges::upper_bound(here, size(found), std::ranges::greater{}, size),
                    std::move(found));
        return true;
    }

    bool excluded(const chess::PackedPosition& position, chess::Move move) const {
        return std::binary_search(basis.excluded.begin(), basis.excluded.end(),
                                  ExcludedMove{position, move});
    }

    Standing standing(std::span<const GraphMove> moves, const chess::PackedPosition& position,
                      const GraphMove& scored) const {
        const std::size_t i = find_move(moves, scored.move);
        const bool known = i < moves.size();
        return {i, known,
                !excluded(position, scored.move) && (!known || goes_before(scored, moves[i]))};
    }

    // By the rules, else by the tables.
    std::optional<chess::Score> exact(const chess::Position& position) const {
        const auto by_rule = exact_by_rule(position);
        return by_rule || !tables ? by_rule : tables->value(position);
    }

    NodeId add(const chess::PackedPosition& packed) {
        const NodeId node = values.add_node();
        index.add(node, packed);
        return node;
    }

    void describe(NodeId node, const chess::Position& position,
                  const chess::PackedPosition& packed) {
        if (!values.described(node)) {
            values.describe(node, position.turn(), position.phi());
            index.keep(packed);
        }
    }

    NodeId intern(const chess::Position& position, const chess::PackedPosition& packed) {
        if (const auto known = index.find(values, packed)) {
            return *known;
        }
        const NodeId node = add(packed);
        describe(node, position, packed);
        index.remember(node, position);
        if (const auto value = exact(position)) {
            values.set_exact(node, *value);
        }
        return node;
    }

    // The position gets a move that leads to it at once, so it need not be described.
    NodeId intern_target(const chess::Position& position) {
        const chess::PackedPosition packed = position.packed();
        if (const auto known = index.find(values, packed)) {
            return *known;
        }
        const NodeId node = add(packed);
        if (const auto value = exact(position)) {
            describe(node, position, packed);
            values.set_exact(node, *value);
        }
        return node;
    }
};

Graph::Graph(std::shared_ptr<const Tables> tables, Basis basis)
    : impl_{std::make_unique<Impl>(std::move(tables), std::move(basis))} {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

NodeId Graph::intern(const chess::Position& position) {
    return impl_->intern(position, position.packed());
}

std::optional<NodeId> Graph::find(const chess::PackedPosition& position) const {
    return impl_->index.find(impl_->values, position);
}

chess::Position Graph::position(NodeId node) const {
    return impl_->index.position(impl_->values, node);
}

std::size_t Graph::node_count() const {
    return impl_->values.node_count();
}
std::size_t Graph::move_count() const {
    return impl_->values.move_count();
}

void Graph::add_root(NodeId node) {
    impl_->values.add_root(node);
}
void Graph::remove_root(NodeId node) {
    impl_->values.remove_root(node);
}
std::vector<NodeId> Graph::roots() const {
    return impl_->values.roots();
}

std::optional<std::uint32_t> Graph::ply(NodeId node) const {
    return impl_->values.ply(node);
}

std::vector<NodeId> Graph::apply(const Evaluation& fact) {
    if (!counts(impl_->basis, fact)) {
        return {};
    }
    const chess::Move move = *fact.move;
    const chess::PackedPosition& packed = fact.question.position;
    ValueGraph& values = impl_->values;
    auto found = impl_->index.find(values, packed);
    std::optional<chess::Position> position; // only where it is needed: it takes longest to get
    if (!found || find_move(values.moves(*found), move) == values.moves(*found).size()) {
        if (found) {
            position = impl_->index.position(values, *found);
        } else if (auto unpacked = chess::Position::unpack(packed)) {
            position = *unpacked;
        }
        if (!position || !position->is_legal(move)) {
            return {};
        }
        if (!found) {
            found = impl_->intern(*position, packed);
        }
        impl_->describe(*found, *position, packed);
    }
    const NodeId node = *found;
    GraphMove scored = scored_move(fact);
    const auto moves = values.moves(node);
    const auto [i, known, in_force] = impl_->standing(moves, packed, scored);
    std::vector<NodeId> changed;
    std::optional<RestFact> replaced;
    if (in_force && !known) {
        scored.target = impl_->intern_target(position->after(move));
        changed = values.add_move(node, scored);
    } else if (in_force) {
        replaced = RestFacts::held(moves, i);
        scored.target = moves[i].target;
        changed = values.replace_move(node, i, scored);
    }
    bool rest_changed = false;
    if (known_choice(values.moves(node), fact.question.excluded, move) ||
        had_choice((position ? *position : impl_->index.position(values, node)).legal_moves(),
                   fact.question.excluded, move)) {
        RestFact rest{{}, 0, chess::Score::cp(0)};
        set_rest(rest, fact.question.excluded, scored);
        const auto added = impl_->rest.add(values.moves(node), node, rest,
                                           in_force ? std::optional{i} : std::nullopt);
        rest_changed = added.anything_new;
        if (added.note) {
            values.set_rest_note(node, i, *added.note);
        }
    }
    if (replaced) {
        (void)impl_->rest.add(values.moves(node), node, *replaced, std::nullopt);
    }
    if (impl_->may_be_joint(fact.question.excluded, scored)) {
        const chess::MoveList legal =
            (position ? *position : impl_->index.position(values, node)).legal_moves();
        rest_changed |= impl_->note_joint(node, packed, legal, fact.question.excluded, scored);
    }
    if (values.in_bulk()) {
        return {};
    }
    if (in_force || rest_changed) {
        insert_sorted(changed, node);
    }
    return changed;
}

const Basis& Graph::basis() const {
    return impl_->basis;
}

std::vector<chess::Move> Graph::excluded_at(const chess::PackedPosition& position) const {
    std::vector<chess::Move> moves;
    for (const ExcludedMove& excluded : impl_->basis.excluded) {
        if (excluded.position == position) {
            moves.push_back(excluded.move);
        }
    }
    return moves;
}

const Tables* Graph::tables() const {
    return impl_->tables.get();
}

std::vector<NodeId> Graph::set_exact(NodeId node, chess::Score value) {
    const chess::Position position = this->position(node);
    if (position.terminal() != chess::Terminal::no) {
        return {};
    }
    impl_->describe(node, position, position.packed());
    return impl_->values.set_exact(node, value);
}

void Graph::begin_bulk() {
    impl_->values.begin_bulk();
}
void Graph::end_bulk() {
    impl_->values.end_bulk();
}

Graph Graph::copy_in_bulk() const {
    Graph copy{impl_->tables, impl_->basis};
    copy.impl_->values = impl_->values.copy_in_bulk();
    copy.impl_->index = PositionIndex{impl_->index};
    copy.impl_->joint = impl_->joint;
    return copy;
}

void Graph::go_back(UnixMs moment, std::span<const NodeId> changed,
                    std::span<const Evaluation> older) {
    ValueGraph& values = impl_->values;
    for (const Evaluation& fact : older) {
        const auto node = find(fact.question.position);
        if (!node || !counts(impl_->basis, fact) || fact.at > moment) {
            continue;
        }
        const auto moves = values.moves(*node);
        const std::size_t i = find_move(moves, *fact.move);
        GraphMove scored = scored_move(fact);
        if (i < moves.size() && (moves[i].at > moment || goes_before(scored, moves[i]))) {
            scored.target = moves[i].target;
            values.replace_move(*node, i, scored);
        }
    }
    std::vector<GraphMove> left;
    for (const NodeId node : changed) {
        const auto moves = values.moves(node);
        left.assign(moves.begin(), moves.end());
        // None, where only an answer without score is newer, or one that this graph does not have.
        if (std::erase_if(left, [&](const GraphMove& move) { return move.at > moment; }) > 0) {
            values.put_moves(node, left);
        }
    }
    for (auto& [node, searches] : impl_->joint) {
        std::erase_if(searches, [&](const JointSearch& search) { return search.at > moment; });
    }
}

std::span<const GraphMove> Graph::moves(NodeId node) const {
    return impl_->values.moves(node);
}

std::optional<chess::Score> Graph::exact(NodeId node) const {
    return impl_->values.exact(node);
}
std::optional<chess::Score> Graph::idea(NodeId node) const {
    return impl_->values.idea(node);
}
std::optional<chess::Score> Graph::game_value(NodeId node) const {
    return impl_->values.game_value(node);
}

MoveValue Graph::idea_of(NodeId node, std::size_t i) const {
    return impl_->values.idea_of(node, i);
}

chess::Score Graph::game_value_of(NodeId node, std::size_t i) const {
    return impl_->values.game_value_of(node, i);
}

std::optional<chess::Score> Graph::rest_bound(NodeId node, double effort,
                                              std::span<const chess::Move> ignored) const {
    if (impl_->basis.excluded.empty()) {
        return impl_->rest.bound(impl_->values, node, effort, ignored);
    }
    auto all = excluded_at(impl_->index.packed(impl_->values, node));
    all.insert(all.end(), ignored.begin(), ignored.end());
    return impl_->rest.bound(impl_->values, node, effort, all);
}

std::optional<chess::Score> Graph::ceiling_of(NodeId node, std::size_t i) const {
    return impl_->rest.ceiling(impl_->values.moves(node), node, i);
}

std::span<const JointSearch> Graph::joint_searches(NodeId node) const {
    const auto found = impl_->joint.find(node);
    return found == impl_->joint.end() ? std::span<const JointSearch>{} : found->second;
}

std::vector<Graph::Parent> Graph::parents(NodeId node) const {
    std::vector<Parent> result;
    for (const NodeId parent : impl_->values.parents(node)) {
        const auto moves = impl_->values.moves(parent);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i].target == node) {
                result.push_back({parent, i});
            }
        }
    }
    return result;
}

std::size_t Graph::count_below(NodeId node, std::size_t limit) const {
    FlatSet seen;
    std::vector<NodeId> queue;
    const auto enter = [&](NodeId at) {
        if (queue.size() < limit && expanded(at) && !exact(at) &&
            seen.insert(static_cast<std::uint32_t>(at), {}).second) {
            queue.push_back(at);
        }
    };
    enter(node);
    for (std::size_t next = 0; next < queue.size() && queue.size() < limit; ++next) {
        for (const GraphMove& move : moves(queue[next])) {
            enter(move.target);
        }
    }
    return queue.size();
}

std::vector<NodeId> Graph::verify() const {
    return impl_->values.verify();
}

std::size_t Graph::memory() const {
    std::size_t joint = 0;
    for (const auto& [node, searches] : impl_->joint) {
        joint += searches.capacity() *
                 (sizeof(JointSearch) + JointSearch::most_moves * sizeof(chess::Move));
    }
    return impl_->values.memory() + impl_->index.memory() + impl_->rest.memory() + joint;
}

std::uint64_t Graph::digest() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < node_count(); ++i) {
        const NodeId node{i};
        if (!expanded(node)) {
            continue;
        }
        const std::uint64_t key =
            chess::PackedPositionHash{}(impl_->index.packed(impl_->values, node));
        for (const GraphMove& move : moves(node)) {
            std::uint64_t hash = mixed(key, move.move.raw());
            hash = mixed(hash, move.engine_score.encode());
            sum += mixed(hash, std::bit_cast<std::uint64_t>(move.effort));
        }
        const std::uint64_t hash = mixed(mixed(key, std::uint64_t{1} << 32), idea(node)->encode());
        sum += mixed(hash, game_value(node)->encode());
    }
    return sum;
}

LineValues::LineValues(const Graph& graph, std::span<const NodeId> line, const JointSearch* court)
    : sweep_{graph.impl_->values.sweep(line)}, node_{line.back()} {
    read();
    if (court == nullptr || graph.exact(node_)) {
        return;
    }
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        MoveValue& known = moves_[i];
        if (!drawn_by_history(graph, node_, i, known)) {
            known.value = after_court(graph, graph.moves(node_)[i], known.value, court);
        }
        alpha_ = i == 0 ? known.value : std::max(*alpha_, known.value);
    }
}

LineValues::~LineValues() = default;
LineValues::LineValues(LineValues&&) noexcept = default;
LineValues& LineValues::operator=(LineValues&&) noexcept = default;

void LineValues::read() {
    LineResult result = sweep_->result();
    alpha_ = result.alpha;
    moves_ = std::move(result.moves);
}

void LineValues::follow(std::size_t i) {
    node_ = sweep_->follow(i);
    read();
}

// The facts of a position are gathered, and worked in together: its moves get their place side by
// side, and what they lead to is only noted. When all facts are in, each position that has moves is
// a node, so one pass over the notes says where every move leads. Both steps look up positions that
// are anywhere in memory; each asks for several before it needs the first, because waiting for
// memory is what costs most of the time.

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
        if (!counts(impl->basis, fact)) {
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
        if (impl->may_be_joint(excluded, scored)) {
            impl->note_joint(node, packed, legal, excluded, scored);
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
