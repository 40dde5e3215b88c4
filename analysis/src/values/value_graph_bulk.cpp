// ValueGraph, all at once: changes in bulk, and the check against a solution made afresh.
#include "values/value_graph_parts.hpp"

#include "values/solve/solution.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::analysis {

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

void ValueGraph::put_moves(NodeId source, std::span<const GraphMove> moves) {
    assert(parts_->bulk);
    const Record& record = parts_->network[source];
    parts_->active += record.count == 0 && !record.exact && !moves.empty() ? 1 : 0;
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
    if (wrong.empty() &&
        (!parts_->components.ordered() || parts_->active != solution.nodes.size())) {
        wrong.push_back(NodeId{0});
    }
    std::sort(wrong.begin(), wrong.end());
    wrong.erase(std::unique(wrong.begin(), wrong.end()), wrong.end());
    return wrong;
}

} // namespace adjourn::analysis
