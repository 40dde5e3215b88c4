#include "past_values.hpp"

#include "game_update.hpp"
#include "line_sweep.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace adjourn::analysis {

void PastValues::set_moves(NodeId node, std::vector<GraphMove> moves) {
    const bool was_active = network_.find_active(node) != nullptr;
    for (GraphMove& move : moves) {
        move.trusted = false;
    }
    network_.set_moves(node, std::move(moves));
    scores_.add(node);
    open(node);
    if (was_active != (network_.find_active(node) != nullptr)) {
        open_parents(node);
    }
}

void PastValues::present_changed(std::span<const NodeId> nodes) {
    network_.refresh();
    std::vector<NodeId> again; // their orders may be others
    for (; !open_.empty(); open_.pop()) {
        again.push_back(open_.top().node);
    }
    std::ranges::for_each(again, [&](NodeId node) { put(node); });
    for (const NodeId node : nodes) {
        if (!network_.kept(node)) { // else it has the value of then
            open(node);
        }
    }
}

void PastValues::open(NodeId node) {
    bool& waits = *waiting_.insert(index_of(node), false).first;
    if (!waits && network_.find_active(node) != nullptr) {
        waits = true;
        put(node);
    }
}

void PastValues::put(NodeId node) {
    const Record& record = network_[node];
    open_.push({record.phi, components_.order(record), ComponentOrder::of(node, record), node});
}

void PastValues::open_parents(NodeId node) {
    network_.for_each_parent(node, [&](NodeId parent) { open(parent); });
}

bool PastValues::go_on(const std::function<bool()>& time_up) {
    const std::size_t most_climbed = 100'000 + network_.present().record_count() / 4;
    std::vector<NodeId> marked;
    while (!too_much_ && (!scores_.settled() || !open_.empty())) {
        if (!scores_.settled()) {
            scores_.step(marked);
            std::ranges::for_each(marked, [&](NodeId node) { open(node); });
            marked.clear();
            too_much_ = scores_.climbed() > most_climbed;
        } else {
            solve_next();
        }
        if (time_up()) {
            return false;
        }
    }
    return true;
}

void PastValues::solve_next() {
    const Open first = open_.top();
    while (!open_.empty() && open_.top().component == first.component) {
        *waiting_.find(index_of(open_.top().node)) = false;
        open_.pop();
    }
    if (ComponentOrder::is_group(first.component)) {
        solve_group(first.component);
    } else if (network_.find_active(first.node) != nullptr) {
        solve_alone(first.node);
    }
}

// No cycle: the best move.
void PastValues::solve_alone(NodeId node) {
    int best = std::numeric_limits<int>::min();
    for (const GraphMove& move : network_.moves(node)) {
        best = std::max(best, network_.game_rank(move));
    }
    if (best != network_[node].value) {
        network_.set_value(node, best);
        open_parents(node);
    }
}

// As if all were worth nothing: what can be reached is settled from there, best first.
void PastValues::solve_group(Component component) {
    const std::size_t size = components_.size(component);
    too_much_ = too_much_ || size > largest_group;
    if (too_much_) {
        return;
    }
    std::vector<std::pair<NodeId, int>> before;
    for (std::size_t i = 0; i < size; ++i) {
        const NodeId node = components_.member(component, i);
        if (network_.find_active(node) != nullptr) {
            before.emplace_back(node, int{network_[node].value});
            network_.set_value(node, 0);
        }
    }
    if (before.empty()) {
        return;
    }
    const BasicRegion<PastNetwork> region{network_,  components_,  network_[before[0].first].phi,
                                          component, std::nullopt, nullptr};
    BasicGameUpdate<PastNetwork> white{region, chess::Color::white};
    BasicGameUpdate<PastNetwork> black{region, chess::Color::black};
    for (auto* side : {&white, &black}) {
        for (const auto& [node, value] : before) {
            side->look_at(node);
        }
        side->run();
    }
    // A position is better than 0 for one side at most, so the gains add up to the value.
    std::vector<std::pair<NodeId, int>> after;
    for (const auto& [node, value] : before) {
        const int white_value = white.gain(node) - black.gain(node);
        after.emplace_back(node, network_[node].black ? -white_value : white_value);
    }
    for (const auto* side : {&white, &black}) {
        side->for_each_touched([&](NodeId node, const auto& standing) {
            if (standing.gain > 0) {
                network_.set_support(node, standing.support);
            }
        });
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        network_.set_value(after[i].first, after[i].second);
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (after[i].second != before[i].second) {
            network_.for_each_parent(after[i].first, [&](NodeId parent) {
                const Record& record = network_[parent];
                if (!record.active() || ComponentOrder::of(parent, record) != component) {
                    open(parent);
                }
            });
        }
    }
}

std::optional<chess::Score> PastValues::game_value(NodeId node) const {
    const Record* record = network_.find(node);
    if (record == nullptr || (!record->exact && !record->active())) {
        return std::nullopt;
    }
    return record->exact ? record->idea_score() : score_of_rank(record->value);
}

std::unique_ptr<LineSweep> PastValues::sweep(std::span<const NodeId> line) const {
    return std::make_unique<BasicLineSweep<PastNetwork>>(network_, components_, line);
}

} // namespace adjourn::analysis
