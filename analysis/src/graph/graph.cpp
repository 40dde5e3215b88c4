#include "analysis/graph.hpp"

#include "base/contains.hpp"
#include "graph_impl.hpp"
#include "values/solve/line_sweep.hpp"
#include "values/store/flat_map.hpp"

#include <algorithm>
#include <bit>

namespace adjourn::analysis {

namespace {

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

} // namespace

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
std::size_t Graph::expanded_count() const {
    return impl_->values.active_count();
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
    const double effort = analysis::effort(fact.question.limit);
    const bool small = effort < impl_->basis.least_effort;
    if (!gives_score(fact) || (small && !large_enough(impl_->basis, fact))) {
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
    values.note_fact(node, fact.at, in_force && !known);
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

std::uint32_t Graph::described_count() const {
    return impl_->values.record_count();
}

std::vector<Graph::NewFacts> Graph::newer_than(UnixMs moment, std::uint32_t begin,
                                               std::uint32_t end) const {
    using FactsSince = ValueGraph::FactsSince;
    std::vector<NewFacts> result;
    for (std::uint32_t record = begin; record < end; ++record) {
        const FactsSince since = impl_->values.facts_since(record, moment);
        if (since != FactsSince::none) {
            result.push_back({*impl_->index.find(impl_->values, impl_->index.kept(record)),
                              since == FactsSince::perhaps_again});
        }
    }
    return result;
}

std::vector<NodeId> Graph::verify() const {
    return impl_->values.verify();
}

std::size_t Graph::memory() const {
    return impl_->values.memory() + impl_->index.memory() + impl_->rest.memory();
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

LineValues::LineValues(const Graph& graph, std::span<const NodeId> line)
    : sweep_{graph.impl_->values.sweep(line)}, node_{line.back()} {
    read();
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

} // namespace adjourn::analysis
