#include "analysis/values/solve/game_update.hpp"

#include <cassert>
#include <limits>

namespace adjourn::analysis {

int GameUpdate::gain(NodeId node) const {
    return gain(node, region_.network[node]);
}

int GameUpdate::through(bool mine, const GraphMove& move) const {
    if (region_.dead(move.target)) {
        return 0;
    }
    const Record* target = region_.network.find(move.target);
    if (!move.trusted && region_.contains(move.target, target)) {
        return one_step(gain(move.target, *target));
    }
    const int rank = region_.network.game_rank(move);
    return std::max(0, mine ? rank : -rank);
}

int GameUpdate::best_of(NodeId node) const {
    const bool own = mine(region_.network[node]);
    int best = own ? 0 : std::numeric_limits<int>::max();
    for (const GraphMove& move : region_.network.moves(node)) {
        const int worth = through(own, move);
        best = own ? std::max(best, worth) : std::min(best, worth);
    }
    return best;
}

// Whether the node reaches the level by means that do not lean on the node itself.
bool GameUpdate::supported(NodeId node, int level) const {
    const Record& record = region_.network[node];
    const bool own = mine(record);
    const std::uint32_t support = standing(node, record).support;
    for (const GraphMove& move : region_.network.moves(node)) {
        bool reaches = through(own, move) >= level;
        if (reaches) {
            const auto beside = support_beside(node, move, level);
            reaches = !beside || *beside < support;
        }
        if (own == reaches) {
            return own; // one move is enough for the own side, all are needed for the other
        }
    }
    return !own;
}

// Steps by which the node reaches the level, given that it does.
std::uint32_t GameUpdate::support_to(NodeId node, int level) const {
    const bool own = mine(region_.network[node]);
    std::optional<std::uint32_t> support;
    for (const GraphMove& move : region_.network.moves(node)) {
        if (through(own, move) < level) {
            continue;
        }
        const auto beside = support_beside(node, move, level);
        const std::uint32_t by = beside ? *beside + 1 : 0;
        support = !support ? by : own ? std::min(*support, by) : std::max(*support, by);
    }
    return *support;
}

bool GameUpdate::sound(NodeId node) const {
    const int level = gain(node);
    return level == 0 || supported(node, level);
}

void GameUpdate::unsettle(NodeId node) {
    if (const int level = gain(node); level > 0) {
        events_.push({level, false, true, node});
    }
}

void GameUpdate::note(NodeId node, int before, int now) {
    const Record& record = region_.network[node];
    const int gain = this->gain(node, record);
    if (gain > 0) {
        const bool own = mine(record);
        const int worth = own ? now : -now;
        // A new move of the other side must reach the level too, and what it leads to may lean on
        // this node although it is worth enough.
        if (own ? before >= gain && worth < gain
                : worth < gain || (before == absent && worth == gain)) {
            events_.push({gain, false, false, node});
        }
    }
    look_at(node);
}

void GameUpdate::drop(NodeId node, int worth) {
    const bool own = mine(region_.network[node]);
    note(node, own ? worth : -worth, 0);
}

void GameUpdate::look_at(NodeId node) {
    const int best = best_of(node);
    if (best > gain(node)) {
        events_.push({best, true, false, node});
    }
}

void GameUpdate::run() {
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        if (event.settles) {
            settle(event);
        } else {
            recheck(event);
        }
    }
}

void GameUpdate::recheck(const Event& event) {
    if (gain(event.node) != event.level || (!event.certain && supported(event.node, event.level))) {
        return;
    }
    *touched_.insert(index_of(event.node), {}).first = {0, 0};
    if (const int best = best_of(event.node); best > 0) {
        events_.push({best, true, false, event.node});
    }
    region_.network.for_each_parent(event.node, [&](NodeId parent) {
        const Record& record = region_.network[parent];
        if (!region_.contains(parent, &record)) {
            return;
        }
        const int leaning = gain(parent, record);
        if (leaning > 0 && one_step(event.level) >= leaning) {
            events_.push({leaning, false, false, parent});
        }
    });
}

void GameUpdate::settle(const Event& event) {
    if (gain(event.node) >= event.level) {
        return;
    }
    const int best = best_of(event.node);
    assert(best <= event.level);
    if (best < event.level) { // something it counted on was unsettled meanwhile
        if (best > gain(event.node)) {
            events_.push({best, true, false, event.node});
        }
        return;
    }
    const Standing settled{event.level, support_to(event.node, event.level)};
    *touched_.insert(index_of(event.node), {}).first = settled;
    region_.network.for_each_parent(event.node, [&](NodeId parent) {
        const Record& record = region_.network[parent];
        if (!region_.contains(parent, &record)) {
            return;
        }
        const int reached = mine(record) ? one_step(event.level) : best_of(parent);
        if (reached > gain(parent, record)) {
            events_.push({reached, true, false, parent});
        }
    });
}

namespace {

// Nothing before it can come again, since φ never rises along a line. What is not described may be
// of the class.
std::vector<NodeId> reversible_tail(const Network& network, std::span<const NodeId> line) {
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

LineSweep::LineSweep(const Network& network, const ComponentOrder& components,
                     std::span<const NodeId> line)
    : network_{network}, order_{components}, last_{line.back()} {
    if (network.described(last_)) {
        open(reversible_tail(network, line));
    }
}

void LineSweep::open(const std::vector<NodeId>& tail) {
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
void LineSweep::add_dead_ends(const std::vector<NodeId>& nodes) {
    const std::vector<Loss> white = losses(sides_->white, nodes);
    const std::vector<Loss> black = losses(sides_->black, nodes);
    for (const NodeId node : nodes) {
        tail_.insert(index_of(node), {});
    }
    withdraw(sides_->white, white);
    withdraw(sides_->black, black);
}

// What moves to the nodes are worth to the side before they are dead ends.
std::vector<LineSweep::Loss> LineSweep::losses(const GameUpdate& side,
                                               const std::vector<NodeId>& nodes) const {
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

void LineSweep::withdraw(GameUpdate& side, const std::vector<Loss>& losses) const {
    for (const Loss& loss : losses) {
        if (sides_->region.contains(loss.node, &network_[loss.node])) { // no dead end itself
            side.drop(loss.node, loss.worth);
        }
    }
    side.run();
}

NodeId LineSweep::follow(std::size_t i) {
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

LineResult LineSweep::result() const {
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

} // namespace adjourn::analysis
