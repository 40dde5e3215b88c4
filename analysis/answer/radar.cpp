#include "analysis/radar.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::analysis {

namespace {

constexpr std::size_t most_behind = 10'000;
constexpr std::size_t little = 4; // as many times less is little

// Decided games are a thousand centipawns apart from all others.
int centipawns_of(chess::Score score) {
    return std::clamp(score.rank(), -1000, 1000);
}

const GraphMove* move_at_root(const Graph& graph, NodeId node, chess::Move move) {
    const auto moves = graph.moves(node);
    const auto found = std::ranges::find(moves, move, &GraphMove::move);
    return found == moves.end() ? nullptr : &*found;
}

} // namespace

std::optional<Refutation> refutation(const Graph& graph, NodeId root, chess::Move before,
                                     chess::Move now, UnixMs moment) {
    const GraphMove* former = move_at_root(graph, root, before);
    const GraphMove* present = move_at_root(graph, root, now);
    if (before == now || former == nullptr || present == nullptr || former->at > moment ||
        present->at > moment || graph.exact(present->target)) {
        return std::nullopt;
    }
    const Refutation found{graph.count_below(former->target, most_behind),
                           graph.count_below(present->target, most_behind)};
    return found.behind_now * little < found.behind_before ? std::optional{found} : std::nullopt;
}

RejoinSearch::RejoinSearch(const Graph& graph, NodeId root, const RejoinLimits& limits)
    : graph_{graph}, limits_{limits}, met_{root}, visits_{{root, 0, chess::Move::from_raw(0)}} {}

bool RejoinSearch::go_on() {
    if (next_ == visits_.size()) {
        return false;
    }
    const std::size_t at = next_++;
    const NodeId node = visits_[at].node;
    const auto moves = graph_.moves(node);
    int best = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        best = std::max(best, centipawns_of(graph_.game_value_of(node, i)));
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const int behind = best - centipawns_of(graph_.game_value_of(node, i));
        const NodeId target = moves[i].target;
        if (behind > limits_.margin || graph_.exact(target) || met_.contains(target)) {
            continue;
        }
        if (!graph_.expanded(target)) {
            met_.insert(target);
            look_at_leaf(at, moves[i]);
        } else if (visits_.size() < limits_.positions) {
            met_.insert(target);
            visits_.push_back({target, at, moves[i].move});
        }
    }
    return next_ < visits_.size();
}

void RejoinSearch::look_at_leaf(std::size_t at, const GraphMove& leaf) {
    const chess::Position position = graph_.position(leaf.target);
    std::optional<Rejoin> best;
    for (const chess::Move reply : position.legal_moves()) {
        const auto node = graph_.find(position.after(reply).packed());
        if (!node || !graph_.expanded(*node) || graph_.exact(*node) || on_way(at, *node)) {
            continue;
        }
        const UnixMs known_at =
            std::ranges::max_element(graph_.moves(*node), {}, [](const auto& m) {
                return UnixMs{m.at};
            })->at;
        const chess::Score known = *graph_.game_value(*node);
        const int gap = centipawns_of(leaf.engine_score) - centipawns_of(known);
        const UnixMs when = std::max<UnixMs>(leaf.at, known_at);
        if (gap >= limits_.gap && when > limits_.since && (!best || gap > best->gap)) {
            best = Rejoin{{leaf.move}, reply, leaf.engine_score, known, gap, when};
        }
    }
    if (best) {
        for (; at != 0; at = visits_[at].from) {
            best->line.push_back(visits_[at].move);
        }
        std::ranges::reverse(best->line);
        keep(std::move(*best));
    }
}

// To come back there would be a repetition.
bool RejoinSearch::on_way(std::size_t at, NodeId node) const {
    while (at != 0 && visits_[at].node != node) {
        at = visits_[at].from;
    }
    return visits_[at].node == node;
}

void RejoinSearch::keep(Rejoin found) {
    const auto place =
        std::ranges::find_if(found_, [&](const Rejoin& other) { return other.gap < found.gap; });
    found_.insert(place, std::move(found));
    if (found_.size() > limits_.most) {
        found_.pop_back();
    }
}

} // namespace adjourn::analysis
