#include "plies.hpp"

#include "values/store/flat_map.hpp"

#include <algorithm>
#include <cassert>
#include <queue>
#include <utility>

namespace adjourn::analysis {

namespace {

using Entry = std::pair<std::uint32_t, std::uint32_t>; // ply, node
using NearestFirst = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

} // namespace

std::uint32_t Plies::of(NodeId node) const {
    const Record* record = network_.find_active(node);
    return record != nullptr ? record->ply : measure(node);
}

std::uint32_t Plies::measure(NodeId node) const {
    if (is_root(node)) {
        return 0;
    }
    std::uint32_t nearest = unreachable;
    network_.for_each_parent(node, [&](NodeId parent) {
        const Record& record = network_[parent];
        if (record.active()) {
            nearest = std::min<std::uint32_t>(nearest, record.ply);
        }
    });
    return nearest == unreachable ? unreachable : nearest + 1;
}

bool Plies::add_root(NodeId node) {
    return ++roots_[node] == 1;
}

bool Plies::remove_root(NodeId node) {
    const auto found = roots_.find(node);
    assert(found != roots_.end());
    if (--found->second > 0) {
        return false;
    }
    roots_.erase(found);
    return true;
}

void Plies::set(NodeId node, std::uint32_t ply) {
    network_[node].ply = static_cast<decltype(Record::ply)>(ply);
}

void Plies::activate(NodeId node) {
    set(node, measure(node));
}

void Plies::approach(NodeId node, std::uint32_t ply, std::vector<NodeId>& changed) {
    if (ply >= network_[node].ply) {
        return;
    }
    set(node, ply);
    std::vector<NodeId> queue{node};
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const std::uint32_t below = network_[queue[next]].ply + 1;
        for (const GraphMove& move : network_.moves(queue[next])) {
            if (network_.find_active(move.target) != nullptr && below < network_[move.target].ply) {
                set(move.target, below);
                queue.push_back(move.target);
            }
        }
    }
    changed.insert(changed.end(), queue.begin(), queue.end());
}

void Plies::recede(const std::vector<NodeId>& nodes, std::vector<NodeId>& changed) {
    // Nearest first, so that whether a parent is lost is known before its children are looked at.
    NearestFirst suspects;
    FlatSet lost;
    std::vector<std::pair<NodeId, std::uint32_t>> before;
    for (const NodeId node : nodes) {
        suspects.emplace(network_[node].ply, index_of(node));
    }
    while (!suspects.empty()) {
        const auto [ply, index] = suspects.top();
        suspects.pop();
        const NodeId node{index};
        if (ply == unreachable || lost.contains(index) || (is_root(node) && ply == 0)) {
            continue;
        }
        bool held = false;
        network_.for_each_parent(node, [&, ply = ply](NodeId parent) {
            const Record& record = network_[parent];
            held = held || (record.active() && record.ply != unreachable &&
                            record.ply + 1u == ply && !lost.contains(index_of(parent)));
        });
        if (held) {
            continue;
        }
        lost.insert(index, {});
        before.emplace_back(node, ply);
        for (const GraphMove& move : network_.moves(node)) {
            const Record* target = network_.find_active(move.target);
            if (target != nullptr && target->ply == ply + 1) {
                suspects.emplace(target->ply, index_of(move.target));
            }
        }
    }

    for (const auto& [node, ply] : before) {
        set(node, unreachable);
    }
    NearestFirst queue;
    for (const auto& [node, ply] : before) {
        const std::uint32_t measured = measure(node);
        if (measured != unreachable) {
            queue.emplace(measured, index_of(node));
        }
    }
    while (!queue.empty()) {
        const auto [ply, index] = queue.top();
        queue.pop();
        if (ply >= network_[NodeId{index}].ply) {
            continue;
        }
        set(NodeId{index}, ply);
        for (const GraphMove& move : network_.moves(NodeId{index})) {
            if (lost.contains(index_of(move.target)) && ply + 1 < network_[move.target].ply) {
                queue.emplace(ply + 1, index_of(move.target));
            }
        }
    }
    for (const auto& [node, ply] : before) {
        if (network_[node].ply != ply) {
            changed.push_back(node);
        }
    }
}

} // namespace adjourn::analysis
