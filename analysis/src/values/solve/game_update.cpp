#include "game_update.hpp"

#include "values/store/past_network.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace adjourn::analysis {

// A gain as the position one move earlier sees it: mates and table wins are a ply further away.
template <class AnyNetwork>
int BasicGameUpdate<AnyNetwork>::one_step(int gain) {
    return -backed_up(gain);
}

template <class AnyNetwork>
typename BasicGameUpdate<AnyNetwork>::Standing
BasicGameUpdate<AnyNetwork>::standing(NodeId node, const Record& record) const {
    if (const Standing* touched = touched_.find(index_of(node))) {
        return *touched;
    }
    const int gain = std::max(0, mine(record) ? record.value : -record.value);
    return {gain, gain > 0 && record.grouped ? region_.network.support(node) : 0};
}

template <class AnyNetwork>
int BasicGameUpdate<AnyNetwork>::gain(NodeId node) const {
    return gain(node, region_.network[node]);
}

template <class AnyNetwork>
int BasicGameUpdate<AnyNetwork>::through(bool mine, const GraphMove& move) const {
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

template <class AnyNetwork>
int BasicGameUpdate<AnyNetwork>::best_of(NodeId node) const {
    const bool own = mine(region_.network[node]);
    int best = own ? 0 : std::numeric_limits<int>::max();
    for (const GraphMove& move : region_.network.moves(node)) {
        const int worth = through(own, move);
        best = own ? std::max(best, worth) : std::min(best, worth);
    }
    return best;
}

template <class AnyNetwork>
std::optional<std::uint32_t>
BasicGameUpdate<AnyNetwork>::support_beside(NodeId source, const GraphMove& move, int level) const {
    const Record* record = region_.network.find(move.target);
    if (move.trusted || !region_.contains(move.target, record) ||
        !ComponentOrder::together(region_.network[source], *record)) {
        return std::nullopt; // lower components cannot lean on this one
    }
    const Standing other = standing(move.target, *record);
    return other.gain == level ? std::optional{other.support} : std::nullopt;
}

// Whether the node reaches the level by means that do not lean on the node itself.
template <class AnyNetwork>
bool BasicGameUpdate<AnyNetwork>::supported(NodeId node, int level) const {
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
template <class AnyNetwork>
std::uint32_t BasicGameUpdate<AnyNetwork>::support_to(NodeId node, int level) const {
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

template <class AnyNetwork>
bool BasicGameUpdate<AnyNetwork>::sound(NodeId node) const {
    const int level = gain(node);
    return level == 0 || supported(node, level);
}

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::unsettle(NodeId node) {
    if (const int level = gain(node); level > 0) {
        events_.push({level, false, true, node});
    }
}

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::note(NodeId node, int before, int now) {
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

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::drop(NodeId node, int worth) {
    const bool own = mine(region_.network[node]);
    note(node, own ? worth : -worth, 0);
}

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::look_at(NodeId node) {
    const int best = best_of(node);
    if (best > gain(node)) {
        events_.push({best, true, false, node});
    }
}

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::run() {
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

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::recheck(const Event& event) {
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

template <class AnyNetwork>
void BasicGameUpdate<AnyNetwork>::settle(const Event& event) {
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

template class BasicGameUpdate<Network>;
template class BasicGameUpdate<PastNetwork>;

} // namespace adjourn::analysis
