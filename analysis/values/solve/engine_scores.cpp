#include "analysis/values/solve/engine_scores.hpp"

#include "analysis/values/store/containers.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace adjourn::analysis {

namespace {

// Nodes by nominal effort, whole, so that sums do not depend on their order. Beyond 2^53 all are
// alike; so many moves of that size do not come together that a sum of them could overflow.
std::uint64_t nodes_of(double effort) {
    constexpr double most = 53;
    return effort < 0 ? 0
                      : static_cast<std::uint64_t>(std::llround(std::exp2(std::min(effort, most))));
}

// Whether an evaluation of that effort can be trusted where none is smaller than `least`.
bool may_be_trusted(double effort, double least) {
    return nodes_of(effort) > 2 * nodes_of(least);
}

std::uint64_t work_at(const Network& network, NodeId node) {
    std::uint64_t sum = 0;
    for (const GraphMove& move : network.moves(node)) {
        sum += nodes_of(move.effort);
    }
    return sum;
}

// Without a search: the target has an evaluation of no less effort, or none.
bool surely_overruled(const Network& network, const GraphMove& move) {
    const auto below = network.moves(move.target);
    return below.empty() || std::any_of(below.begin(), below.end(), [&](const GraphMove& other) {
               return other.effort >= move.effort;
           });
}

} // namespace

void EngineScores::forget(Place place) {
    const auto found = watches_.find(place);
    if (found == watches_.end()) {
        return;
    }
    for (const NodeId node : found->second.below) {
        const auto at = watched_by_.find(node);
        std::erase(at->second, place);
        if (at->second.empty()) {
            watched_by_.erase(at);
        }
    }
    watches_.erase(found);
}

void EngineScores::judge(NodeId source, std::size_t i) {
    const Place place{source, i};
    forget(place);
    bool trusted = false;
    if (!surely_overruled(network_, network_.moves(source)[i])) {
        Watch watch = watch_below(source, network_.moves(source)[i]);
        trusted = !watch.overruled();
        if (trusted) {
            for (const NodeId node : watch.below) {
                watched_by_[node].push_back(place);
            }
            watches_.emplace(place, std::move(watch));
        }
    }
    network_.set_trusted(source, i, trusted);
}

std::vector<EngineScores::Overruled> EngineScores::grown(NodeId node, std::size_t i,
                                                         double before) {
    const GraphMove move = network_.moves(node)[i];
    const bool first = before == absent && network_.moves(node).size() == 1;
    const bool larger = before == absent || move.effort > before;
    assert(before == absent || move.effort >= before);
    std::vector<Place> overruled;
    if (!watches_.empty() && larger) {
        // Where the position is part of a watch already, or has come to be.
        const std::uint64_t more =
            nodes_of(move.effort) - (before == absent ? 0 : nodes_of(before));
        std::vector<Place> places;
        const auto collect = [&](NodeId at) {
            if (const auto found = watched_by_.find(at); found != watched_by_.end()) {
                places.insert(places.end(), found->second.begin(), found->second.end());
            }
        };
        collect(node);
        if (first) {
            network_.for_each_parent(node, collect);
            std::sort(places.begin(), places.end());
            places.erase(std::unique(places.begin(), places.end()), places.end());
        }
        for (const Place& place : places) {
            Watch& watch = watches_.at(place);
            const std::size_t known = watch.below.size();
            if (first) {
                enter(watch, node);
            } else {
                watch.found += more;
                enter(watch, move.target);
            }
            for (std::size_t k = known; k < watch.below.size(); ++k) {
                watched_by_[watch.below[k]].push_back(place);
            }
            if (watch.overruled()) {
                overruled.push_back(place);
            }
        }
        std::for_each(overruled.begin(), overruled.end(),
                      [&](const Place& place) { forget(place); });
    }
    if (first) {
        std::vector<Place> to_here;
        network_.for_each_parent(node, [&](NodeId parent) {
            const auto moves = network_.moves(parent);
            for (std::size_t k = 0; k < moves.size(); ++k) {
                if (moves[k].target == node) {
                    to_here.emplace_back(parent, k);
                }
            }
        });
        for (const auto& [parent, k] : to_here) {
            judge(parent, k);
        }
    }
    if (larger) {
        std::erase(overruled, Place{node, i});
        judge(node, i);
    }
    std::vector<Overruled> result;
    for (const auto& [source, k] : overruled) {
        result.push_back({{source, k}, network_.game_rank(network_.moves(source)[k])});
        network_.set_trusted(source, k, false);
    }
    return result;
}

EngineScores::Watch EngineScores::watch_below(NodeId source, const GraphMove& move) const {
    Watch result{source, (nodes_of(move.effort) + 1) / 2, 0, {}};
    FlatSet seen;
    std::vector<NodeId> open{move.target};
    seen.insert(index_of(move.target), {});
    for (std::size_t next = 0; next < open.size() && !result.overruled(); ++next) {
        const auto moves = network_.moves(open[next]);
        if (open[next] == source || moves.empty()) {
            continue;
        }
        result.below.push_back(open[next]);
        result.found += work_at(network_, open[next]);
        for (const GraphMove& on : moves) {
            if (seen.insert(index_of(on.target), {}).second) {
                open.push_back(on.target);
            }
        }
    }
    return result;
}

// The node and what it leads to, as far as it is new to the watch.
void EngineScores::enter(Watch& watch, NodeId node) const {
    FlatSet seen; // made only where there is something to look at
    std::vector<NodeId> open{node};
    bool listed = false;
    for (std::size_t next = 0; next < open.size() && !watch.overruled(); ++next) {
        if (open[next] == watch.source || network_.moves(open[next]).empty()) {
            continue;
        }
        if (!listed) {
            listed = true;
            for (const NodeId known : watch.below) {
                seen.insert(index_of(known), {});
            }
        }
        if (!seen.insert(index_of(open[next]), {}).second) {
            continue;
        }
        watch.below.push_back(open[next]);
        watch.found += work_at(network_, open[next]);
        for (const GraphMove& on : network_.moves(open[next])) {
            open.push_back(on.target);
        }
    }
}

void EngineScores::judge_all() {
    watches_.clear();
    watched_by_.clear();
    double least = std::numeric_limits<double>::infinity();
    double most = absent;
    for (std::uint32_t n = 0; n < network_.node_count(); ++n) {
        const auto moves = network_.moves(NodeId{n});
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i].trusted) {
                network_.set_trusted(NodeId{n}, i, false);
            }
            least = std::min(least, moves[i].effort);
            most = std::max(most, moves[i].effort);
        }
    }
    if (most <= least || !may_be_trusted(most, least)) {
        return; // any evaluation below is enough
    }
    for (std::uint32_t n = 0; n < network_.node_count(); ++n) {
        const std::size_t count = network_.moves(NodeId{n}).size();
        for (std::size_t i = 0; i < count; ++i) {
            if (may_be_trusted(network_.moves(NodeId{n})[i].effort, least)) {
                judge(NodeId{n}, i);
            }
        }
    }
}

std::vector<NodeId> EngineScores::wrong() const {
    std::vector<NodeId> result;
    std::size_t trusted = 0;
    for (std::uint32_t n = 0; n < network_.node_count(); ++n) {
        const auto moves = network_.moves(NodeId{n});
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const auto kept = watches_.find({NodeId{n}, i});
            bool right = moves[i].trusted == (kept != watches_.end());
            if (surely_overruled(network_, moves[i])) {
                right = right && !moves[i].trusted;
            } else {
                Watch fresh = watch_below(NodeId{n}, moves[i]);
                right = right && moves[i].trusted == !fresh.overruled();
                if (right && moves[i].trusted) {
                    std::vector<NodeId> below = kept->second.below;
                    std::sort(below.begin(), below.end());
                    std::sort(fresh.below.begin(), fresh.below.end());
                    right = below == fresh.below && kept->second.found == fresh.found;
                }
            }
            trusted += moves[i].trusted ? 1 : 0;
            if (!right) {
                result.push_back(NodeId{n});
            }
        }
    }
    if (trusted != watches_.size() && result.empty()) {
        result.push_back(NodeId{0});
    }
    return result;
}

std::size_t EngineScores::memory() const {
    std::size_t result = watched_by_.bucket_count() * sizeof(void*);
    for (const auto& [place, watch] : watches_) {
        result += sizeof(place) + sizeof(watch) + 4 * sizeof(void*) +
                  watch.below.capacity() * sizeof(NodeId);
    }
    for (const auto& [node, places] : watched_by_) {
        result +=
            sizeof(node) + sizeof(places) + 2 * sizeof(void*) + places.capacity() * sizeof(Place);
    }
    return result;
}

} // namespace adjourn::analysis
