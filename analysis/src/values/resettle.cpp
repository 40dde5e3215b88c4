#include "resettle.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace adjourn::analysis {

// A share as the position one move earlier sees it: mates and table wins are a ply further away.
int Resettle::one_step(int share) {
    return -backed_up(share);
}

int Resettle::share(NodeId node, const Record& record) const {
    const int* changed = shares_.find(index_of(node));
    return changed != nullptr ? *changed : std::max(0, mine(record) ? record.value : -record.value);
}

int Resettle::share(NodeId node) const {
    return share(node, region_.network[node]);
}

int Resettle::through(bool mine, const GraphMove& move) const {
    if (region_.dead(move.target)) {
        return 0;
    }
    const Record* target = region_.network.find(move.target);
    if (region_.contains(move.target, target)) {
        return one_step(share(move.target, *target));
    }
    const int rank = region_.network.game_rank(move);
    return std::max(0, mine ? rank : -rank);
}

int Resettle::best_of(NodeId node) const {
    const bool own = mine(region_.network[node]);
    int best = own ? 0 : std::numeric_limits<int>::max();
    for (const GraphMove& move : region_.network.moves(node)) {
        const int worth = through(own, move);
        best = own ? std::max(best, worth) : std::min(best, worth);
    }
    return best;
}

// Whether the node reaches the level by means that cannot lean on the node itself.
bool Resettle::supported(NodeId node, int level) const {
    const bool own = mine(region_.network[node]);
    for (const GraphMove& move : region_.network.moves(node)) {
        const bool reaches = through(own, move) >= level;
        if (!own && !reaches) {
            return false;
        }
        if (own && reaches) {
            const Record* target = region_.network.find(move.target);
            if (!region_.contains(move.target, target) || share(move.target, *target) > level) {
                return true;
            }
        }
    }
    return !own; // the other side's moves come back here should one of them fall
}

void Resettle::note(NodeId node, int before, int now) {
    const Record& record = region_.network[node];
    const int share = this->share(node, record);
    if (share > 0) {
        const bool own = mine(record);
        const int worth = own ? now : -now;
        if ((!own || before >= share) && worth < share) {
            events_.push({share, false, false, node});
        } else if (!own && before == absent && worth == share) {
            // One more move that must reach the level, and what it leads to may lean on this node.
            events_.push({share, false, true, node});
        }
    }
    look_at(node);
}

void Resettle::look_at(NodeId node) {
    const int best = best_of(node);
    if (best > share(node)) {
        events_.push({best, true, false, node});
    }
}

void Resettle::run() {
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        if (event.settles) {
            settle(event);
        } else {
            doubt(event);
        }
    }
}

void Resettle::doubt(const Event& event) {
    if (share(event.node) != event.level ||
        (!event.certain && supported(event.node, event.level))) {
        return;
    }
    *shares_.insert(index_of(event.node), 0).first = 0;
    if (const int best = best_of(event.node); best > 0) {
        events_.push({best, true, false, event.node});
    }
    region_.network.for_each_parent(event.node, [&](NodeId parent) {
        const Record& record = region_.network[parent];
        if (!region_.contains(parent, &record)) {
            return;
        }
        const int leaning = share(parent, record);
        if (leaning > 0 && one_step(event.level) >= leaning) {
            events_.push({leaning, false, false, parent});
        }
    });
}

void Resettle::settle(const Event& event) {
    if (share(event.node) >= event.level) {
        return;
    }
    const int best = best_of(event.node);
    assert(best <= event.level);
    if (best < event.level) { // something it counted on was unsettled meanwhile
        if (best > share(event.node)) {
            events_.push({best, true, false, event.node});
        }
        return;
    }
    *shares_.insert(index_of(event.node), 0).first = event.level;
    region_.network.for_each_parent(event.node, [&](NodeId parent) {
        const Record& record = region_.network[parent];
        if (!region_.contains(parent, &record)) {
            return;
        }
        const int reached = mine(record) ? one_step(event.level) : best_of(parent);
        if (reached > share(parent, record)) {
            events_.push({reached, true, false, parent});
        }
    });
}

} // namespace adjourn::analysis
