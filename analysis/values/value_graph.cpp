#include "analysis/values/value_graph.hpp"

#include "analysis/values/order/component_order.hpp"
#include "analysis/values/solve/engine_scores.hpp"
#include "analysis/values/solve/game_update.hpp"
#include "analysis/values/solve/solution.hpp"
#include "analysis/values/store/network.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace adjourn::analysis {

// What ValueGraph is made of.
struct ValueGraph::Parts {
    Network network;
    ComponentOrder components{network};
    ComponentUpdate component_update{network, components};
    Plies plies{network};
    EngineScores scores{network};
    bool bulk = false;

    // Whether the node's value is upheld in the way that later changes take for granted.
    bool sound(NodeId node, const Record& record) const {
        const Region region{network,      components, record.phi, ComponentOrder::of(node, record),
                            std::nullopt, nullptr};
        return GameUpdate{region, chess::Color::white}.sound(node) &&
               GameUpdate{region, chess::Color::black}.sound(node);
    }

    Propagation propagation() { return Propagation{network, components}; }

    // From now on what is below the moves counts.
    void note_overruled(Propagation& propagation,
                        const std::vector<EngineScores::Overruled>& overruled) const {
        for (const auto& [place, before] : overruled) {
            const auto& [node, i] = place;
            propagation.note_value(node, before, network.game_rank(network.moves(node)[i]));
            propagation.note_joined(node);
            propagation.note_idea(node);
        }
    }

    // The ideas of the nodes, and of those with moves to them, inside components.
    void note_inside(Propagation& propagation, const std::vector<NodeId>& changed) const {
        for (const NodeId node : changed) {
            const Record& record = network[node];
            if (!record.grouped) {
                continue;
            }
            propagation.note_idea(node);
            network.for_each_parent(node, [&](NodeId parent) {
                if (network[parent].active() && ComponentOrder::together(network[parent], record)) {
                    propagation.note_idea(parent);
                }
            });
        }
    }
};

static_assert(ValueGraph::max_moves == MovePool::max_count);

ValueGraph::ValueGraph() : parts_{std::make_unique<Parts>()} {}
ValueGraph::~ValueGraph() = default;
ValueGraph::ValueGraph(ValueGraph&&) noexcept = default;
ValueGraph& ValueGraph::operator=(ValueGraph&&) noexcept = default;

NodeId ValueGraph::add_node() {
    return parts_->network.add_node();
}

void ValueGraph::describe(NodeId node, chess::Color turn, int phi) {
    parts_->network.describe(node, turn, phi);
}

bool ValueGraph::described(NodeId node) const {
    return parts_->network.described(node);
}

std::uint32_t ValueGraph::record_index(NodeId node) const {
    return parts_->network.record_index(node);
}

chess::Color ValueGraph::turn(NodeId node) const {
    return parts_->network[node].turn();
}

int ValueGraph::phi(NodeId node) const {
    return parts_->network[node].phi;
}

std::size_t ValueGraph::node_count() const {
    return parts_->network.node_count();
}
std::size_t ValueGraph::move_count() const {
    return parts_->network.move_count();
}

std::span<const GraphMove> ValueGraph::moves(NodeId node) const {
    return parts_->network.moves(node);
}

std::vector<NodeId> ValueGraph::parents(NodeId node) const {
    std::vector<NodeId> result;
    parts_->network.for_each_parent(node, [&](NodeId parent) { result.push_back(parent); });
    return result;
}

std::optional<NodeId> ValueGraph::a_parent(NodeId node) const {
    return parts_->network.a_parent(node);
}

std::optional<chess::Score> ValueGraph::exact(NodeId node) const {
    const Record* record = parts_->network.find(node);
    return record != nullptr && record->exact ? std::optional{record->idea_score()} : std::nullopt;
}

std::vector<NodeId> ValueGraph::roots() const {
    std::vector<NodeId> result;
    for (const auto& [root, count] : parts_->plies.roots()) {
        result.insert(result.end(), count, root);
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::optional<std::uint32_t> ValueGraph::ply(NodeId node) const {
    const std::uint32_t ply = parts_->plies.of(node);
    return ply == Plies::unreachable ? std::nullopt : std::optional{ply};
}

std::vector<NodeId> ValueGraph::add_move(NodeId source, const GraphMove& move) {
    Parts& parts = *parts_;
    Network& network = parts.network;
    assert(network.find(move.target) == nullptr ||
           (network[move.target].turn() != network[source].turn() &&
            network[move.target].phi <= network[source].phi));
    const bool awakes = network[source].count == 0 && !network[source].exact;
    network.append(source, move);
    if (parts.bulk) {
        return {};
    }
    const std::size_t last = network[source].count - std::size_t{1};
    const auto overruled = parts.scores.grown(source, last, EngineScores::absent);
    if (network[source].exact) {
        Propagation propagation = parts.propagation();
        parts.note_overruled(propagation, overruled);
        return propagation.run();
    }
    std::vector<NodeId> plies_changed;
    std::vector<NodeId> joined;
    if (awakes) {
        parts.plies.activate(source);
        parts.component_update.place(source);
    }
    if (network.find_active(move.target) != nullptr) {
        if (network[source].ply != Plies::unreachable) {
            parts.plies.approach(move.target, network[source].ply + 1, plies_changed);
        }
        joined = parts.component_update.link(source, move.target);
    }
    Propagation propagation = parts.propagation();
    if (awakes) {
        propagation.note_new(source);
    } else {
        propagation.note_value(source, GameUpdate::absent,
                               network.game_rank(network.moves(source)[last]));
        propagation.note_idea(source);
    }
    for (const NodeId node : joined) {
        propagation.note_joined(node);
    }
    parts.note_overruled(propagation, overruled);
    parts.note_inside(propagation, joined);
    parts.note_inside(propagation, plies_changed);
    return propagation.run();
}

std::vector<NodeId> ValueGraph::replace_move(NodeId source, std::size_t i, const GraphMove& move) {
    Network& network = parts_->network;
    const GraphMove& present = network.moves(source)[i];
    assert(present.target == move.target);
    const int before = network.game_rank(present);
    const bool rescored = present.engine_score != move.engine_score;
    const bool was_trusted = present.trusted;
    const double effort = present.effort;
    GraphMove marked = move;
    marked.trusted = was_trusted;
    network.replace(source, i, marked);
    if (parts_->bulk) {
        return {};
    }
    const auto overruled = parts_->scores.grown(source, i, effort);
    const GraphMove& now = network.moves(source)[i];
    Propagation propagation = parts_->propagation();
    parts_->note_overruled(propagation, overruled);
    if (now.trusted != was_trusted) {
        propagation.note_joined(source);
    }
    if (rescored || now.trusted != was_trusted) {
        propagation.note_value(source, before, network.game_rank(now));
        propagation.note_idea(source);
    }
    return propagation.run();
}

std::vector<NodeId> ValueGraph::set_exact(NodeId node, chess::Score value) {
    Parts& parts = *parts_;
    Network& network = parts.network;
    Record& record = network[node];
    const bool was_active = record.active();
    std::vector<std::pair<NodeId, int>> before;
    bool differs = false;
    if (!parts.bulk) {
        differs = idea(node) != value || game_value(node) != value;
        network.for_each_incoming(node, [&](NodeId parent, const Record&, const GraphMove& move) {
            before.emplace_back(parent, network.game_rank(move));
        });
    }
    record.exact = true;
    record.idea = value.encode();
    record.value = value.rank();
    if (parts.bulk) {
        return {};
    }
    std::vector<NodeId> plies_changed;
    std::vector<NodeId> regrouped;
    if (was_active) {
        regrouped = parts.component_update.unlink(node);
        std::vector<NodeId> below;
        for (const GraphMove& move : network.moves(node)) {
            if (network.find_active(move.target) != nullptr) {
                below.push_back(move.target);
            }
        }
        parts.plies.recede(below, plies_changed);
    }
    Propagation propagation = parts.propagation();
    for (const auto& [parent, rank] : before) {
        propagation.note_value(parent, rank, value.backed_up().rank());
        propagation.note_idea(parent);
    }
    for (const NodeId other : regrouped) {
        propagation.note_idea(other);
    }
    parts.note_inside(propagation, plies_changed);
    std::vector<NodeId> changed = propagation.run();
    if (differs) {
        changed.insert(std::lower_bound(changed.begin(), changed.end(), node), node);
    }
    return changed;
}

std::vector<NodeId> ValueGraph::add_root(NodeId node) {
    Parts& parts = *parts_;
    if (!parts.plies.add_root(node) || parts.bulk || parts.network.find_active(node) == nullptr) {
        return {};
    }
    std::vector<NodeId> plies_changed;
    parts.plies.approach(node, 0, plies_changed);
    Propagation propagation = parts.propagation();
    parts.note_inside(propagation, plies_changed);
    return propagation.run();
}

std::vector<NodeId> ValueGraph::remove_root(NodeId node) {
    Parts& parts = *parts_;
    if (!parts.plies.remove_root(node) || parts.bulk ||
        parts.network.find_active(node) == nullptr) {
        return {};
    }
    std::vector<NodeId> plies_changed;
    parts.plies.recede({node}, plies_changed);
    Propagation propagation = parts.propagation();
    parts.note_inside(propagation, plies_changed);
    return propagation.run();
}

void ValueGraph::set_rest_note(NodeId node, std::size_t i, std::uint16_t note) {
    parts_->network.move(node, i).rest_note = note;
}

std::optional<chess::Score> ValueGraph::idea(NodeId node) const {
    assert(!parts_->bulk);
    const Record* record = parts_->network.find(node);
    return record != nullptr && (record->exact || record->active())
               ? std::optional{record->idea_score()}
               : std::nullopt;
}

std::optional<chess::Score> ValueGraph::game_value(NodeId node) const {
    assert(!parts_->bulk);
    const Record* record = parts_->network.find(node);
    if (record == nullptr || (!record->exact && !record->active())) {
        return std::nullopt;
    }
    return record->exact ? record->idea_score() : score_of_rank(record->value);
}

MoveValue ValueGraph::idea_of(NodeId node, std::size_t i) const {
    assert(!parts_->bulk);
    const GraphMove& move = parts_->network.moves(node)[i];
    const Record& source = parts_->network[node];
    const bool closes = source.active() && closes_cycle(parts_->network, source, move);
    return {closes ? move.engine_score : parts_->network.idea_score(move), false, closes};
}

chess::Score ValueGraph::game_value_of(NodeId node, std::size_t i) const {
    assert(!parts_->bulk);
    return parts_->network.game_score(parts_->network.moves(node)[i]);
}

std::unique_ptr<LineSweep> ValueGraph::sweep(std::span<const NodeId> line) const {
    assert(!parts_->bulk && !line.empty());
    return std::make_unique<LineSweep>(parts_->network, parts_->components, line);
}

std::size_t ValueGraph::memory() const {
    return sizeof(Parts) + parts_->network.memory() + parts_->components.memory() +
           parts_->scores.memory();
}

// ValueGraph, all at once: changes in bulk, and the check against a solution made afresh.

void ValueGraph::begin_bulk() {
    assert(!parts_->bulk);
    parts_->bulk = true;
}

void ValueGraph::end_bulk() {
    assert(parts_->bulk);
    parts_->bulk = false;
    parts_->scores.judge_all();
    const Solution solution = solve(parts_->network, parts_->plies);
    parts_->components.clear();
    parts_->network.for_each_record([&](std::uint32_t index, Record& record) {
        record.grouped = false;
        if (record.active()) {
            record.ply = static_cast<decltype(Record::ply)>(solution.ply[index]);
            record.idea = solution.idea[index];
            record.value = solution.value[index];
        }
    });
    for (std::size_t i = 0; i < solution.ends.size(); ++i) {
        parts_->components.adopt(solution.nodes_of(i));
        if (solution.nodes_of(i).size() > 1) {
            for (const NodeId node : solution.nodes_of(i)) {
                parts_->network.set_support(node,
                                            solution.support[parts_->network.record_index(node)]);
            }
        }
    }
    parts_->components.spread();
}

ValueGraph ValueGraph::copy_in_bulk() const {
    ValueGraph copy;
    copy.begin_bulk();
    copy.parts_->network = Network{parts_->network};
    return copy;
}

void ValueGraph::put_moves(NodeId source, std::span<const GraphMove> moves) {
    assert(parts_->bulk);
    parts_->network.put(source, moves);
}

void ValueGraph::link_move(NodeId source, std::size_t i, NodeId target) {
    assert(parts_->bulk);
    parts_->network.link(source, i, target);
}

void ValueGraph::prefetch_link(NodeId node) const {
    parts_->network.prefetch_link(node);
}

void ValueGraph::prefetch_record(NodeId node) const {
    parts_->network.prefetch_record(node);
}

bool ValueGraph::in_bulk() const {
    return parts_->bulk;
}

std::vector<NodeId> ValueGraph::verify() const {
    assert(!parts_->bulk);
    const Network& network = parts_->network;
    const Solution solution = solve(network, parts_->plies);
    std::vector<NodeId> wrong = parts_->scores.wrong();
    for (std::size_t i = 0; i < solution.ends.size(); ++i) {
        const auto nodes = solution.nodes_of(i);
        const Record& first = network[nodes[0]];
        for (const NodeId node : nodes) {
            const Record& record = network[node];
            const std::uint32_t index = network.record_index(node);
            const bool grouped_right =
                nodes.size() == 1 ? !record.grouped : ComponentOrder::together(record, first);
            if (record.grouped && !parts_->sound(node, record)) {
                wrong.push_back(node);
            }
            if (record.ply != solution.ply[index] || record.idea != solution.idea[index] ||
                record.value != solution.value[index] || !grouped_right) {
                wrong.push_back(node);
            }
        }
        if (nodes.size() > 1 &&
            parts_->components.size(ComponentOrder::of(nodes[0], first)) != nodes.size()) {
            wrong.push_back(nodes[0]);
        }
    }
    if (wrong.empty() && !parts_->components.ordered()) {
        wrong.push_back(NodeId{0});
    }
    std::sort(wrong.begin(), wrong.end());
    wrong.erase(std::unique(wrong.begin(), wrong.end()), wrong.end());
    return wrong;
}

} // namespace adjourn::analysis
