#include "line_sweep.hpp"

#include "values/store/past_network.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace adjourn::analysis {

namespace {

// Nothing before it can come again, since φ never rises along a line. What is not described may be
// of the class.
template <class AnyNetwork>
std::vector<NodeId> reversible_tail(const AnyNetwork& network, std::span<const NodeId> line) {
    std::vector<NodeId> tail;
    const std::uint32_t phi = network[line.back()].phi;
    for (auto at = line.rbegin(); at != line.rend(); ++at) {
        const Record* record = network.find(*at);
        if (record != nullptr && record->phi != phi) {
            break;
        }
        tail.push_back(*at);
    }
    return tail;
}

} // namespace

template <class AnyNetwork>
BasicLineSweep<AnyNetwork>::BasicLineSweep(const AnyNetwork& network,
                                           const ComponentOrder& components,
                                           std::span<const NodeId> line)
    : network_{network}, order_{components}, last_{line.back()} {
    if (network.described(last_)) {
        open(reversible_tail(network, line));
    }
}

template <class AnyNetwork>
void BasicLineSweep<AnyNetwork>::open(const std::vector<NodeId>& tail) {
    const Record& record = network_[last_];
    // Only what the last node leads to matters: its own component, and what has a lower order.
    const Region region{network_,
                        order_,
                        record.phi,
                        ComponentOrder::of(last_, record),
                        record.active() ? order_.order(record)
                                        : std::numeric_limits<std::int32_t>::max(),
                        &tail_};
    tail_ = {};
    sides_.emplace(region, GameUpdate{region, chess::Color::white},
                   GameUpdate{region, chess::Color::black});
    add_dead_ends(tail);
}

// Makes dead ends of the nodes.
template <class AnyNetwork>
void BasicLineSweep<AnyNetwork>::add_dead_ends(const std::vector<NodeId>& nodes) {
    const std::vector<Loss> white = losses(sides_->white, nodes);
    const std::vector<Loss> black = losses(sides_->black, nodes);
    for (const NodeId node : nodes) {
        tail_.insert(index_of(node), {});
    }
    withdraw(sides_->white, white);
    withdraw(sides_->black, black);
}

// What moves to the nodes are worth to the side before they are dead ends.
template <class AnyNetwork>
std::vector<typename BasicLineSweep<AnyNetwork>::Loss>
BasicLineSweep<AnyNetwork>::losses(const GameUpdate& side, const std::vector<NodeId>& nodes) const {
    std::vector<Loss> result;
    for (const NodeId node : nodes) {
        const Record* record = network_.find_active(node);
        const bool nothing = record != nullptr && sides_->region.contains(node, record) &&
                             side.gain(node) == 0; // to lose, but by a trusted score
        if (nothing && !network_.any_trusted()) {
            continue;
        }
        network_.for_each_incoming(node,
                                   [&](NodeId parent, const Record& above, const GraphMove& move) {
                                       const int worth = side.worth(above, move);
                                       if (worth > 0 && sides_->region.contains(parent, &above)) {
                                           result.push_back({parent, worth});
                                       }
                                   });
    }
    return result;
}

template <class AnyNetwork>
void BasicLineSweep<AnyNetwork>::withdraw(GameUpdate& side, const std::vector<Loss>& losses) const {
    for (const Loss& loss : losses) {
        if (sides_->region.contains(loss.node, &network_[loss.node])) { // no dead end itself
            side.drop(loss.node, loss.worth);
        }
    }
    side.run();
}

template <class AnyNetwork>
NodeId BasicLineSweep<AnyNetwork>::follow(std::size_t i) {
    const NodeId node = network_.moves(last_)[i].target;
    const Record* before = network_.find(last_);
    const Record* record = network_.find(node);
    last_ = node;
    if (record == nullptr) {
        sides_.reset();
    } else if (sides_ && before != nullptr && before->phi == record->phi) {
        add_dead_ends({node});
    } else {
        open({node});
    }
    return node;
}

template <class AnyNetwork>
LineResult BasicLineSweep<AnyNetwork>::result() const {
    const Record* record = network_.find(last_);
    if (record == nullptr) {
        return {};
    }
    LineResult result;
    for (const GraphMove& move : network_.moves(last_)) {
        const Record* target = network_.find(move.target);
        if (tail_.contains(index_of(move.target))) {
            result.moves.push_back({chess::Score::cp(0), true, false});
        } else if (!move.trusted && sides_->region.contains(move.target, target)) {
            const int white = sides_->white.gain(move.target) - sides_->black.gain(move.target);
            const int rank = target->black ? -white : white;
            result.moves.push_back({score_of_rank(rank).backed_up(), false, false});
        } else {
            result.moves.push_back({network_.game_score(move), false, false});
        }
    }
    if (record->exact) {
        result.alpha = record->idea_score();
    } else if (!result.moves.empty()) {
        const auto best = std::max_element(
            result.moves.begin(), result.moves.end(),
            [](const MoveValue& a, const MoveValue& b) { return a.value < b.value; });
        result.alpha = score_of_rank(best->value.rank());
    }
    return result;
}

template class BasicLineSweep<Network>;
template class BasicLineSweep<PastNetwork>;

} // namespace adjourn::analysis
