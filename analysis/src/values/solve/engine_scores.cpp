#include "engine_scores.hpp"

#include "game_update.hpp"
#include "solution.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace adjourn::analysis {

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
        Watch watch = watch_below(network_, source, network_.moves(source)[i]);
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
    for (const auto& [place, watch] : watches_) {
        network_.set_trusted(place.first, place.second, false);
    }
    watches_.clear();
    watched_by_.clear();
    double least = std::numeric_limits<double>::infinity();
    double most = absent;
    for (std::uint32_t n = 0; n < network_.node_count(); ++n) {
        for (const GraphMove& move : network_.moves(NodeId{n})) {
            least = std::min(least, move.effort);
            most = std::max(most, move.effort);
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
                Watch fresh = watch_below(network_, NodeId{n}, moves[i]);
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

namespace {

constexpr std::uint64_t not_reached = std::numeric_limits<std::uint64_t>::max();

} // namespace

bool PastEngineScores::any_may_be_trusted() const {
    const Network::Efforts efforts = network_.efforts();
    return may_be_trusted(efforts.most, efforts.least);
}

void PastEngineScores::step(std::vector<NodeId>& changed) {
    if (!any_may_be_trusted()) { // as it is where limits are alike
        open_.clear();
    }
    if (!open_.empty()) {
        const NodeId node = open_.back();
        open_.pop_back();
        for (std::size_t i = 0; i < network_.moves(node).size(); ++i) {
            judge(node, i, changed);
        }
        reach(node, work_at(network_, node));
    } else if (!climbs_.empty()) {
        const Climb from = climbs_.top();
        climbs_.pop();
        if (*reached_.find(index_of(from.second)) == from.first) { // no better way meanwhile
            climb(from, changed);
        }
    }
}

void PastEngineScores::reach(NodeId node, std::uint64_t work) {
    std::uint64_t& least = *reached_.insert(index_of(node), not_reached).first;
    if (work < least) {
        least = work;
        climbs_.emplace(work, node);
    }
}

// A move above a position that was added has at least the work of the way there below it.
void PastEngineScores::climb(const Climb& from, std::vector<NodeId>& changed) {
    const auto& [work, node] = from;
    const std::uint64_t most = nodes_of(network_.efforts().most);
    if (work >= (most + 1) / 2) {
        return;
    }
    std::vector<NodeId> parents; // first: judging changes the network
    network_.for_each_parent(node, [&](NodeId parent) { parents.push_back(parent); });
    for (const NodeId parent : parents) {
        for (std::size_t i = 0; i < network_.moves(parent).size(); ++i) {
            const GraphMove& move = network_.moves(parent)[i];
            if (move.target == node && work < (nodes_of(move.effort) + 1) / 2) {
                judge(parent, i, changed);
            }
        }
        reach(parent, work + work_at(network_, parent));
    }
}

// A trusted score is written down: in the present network it may be overruled at any time.
void PastEngineScores::judge(NodeId source, std::size_t i, std::vector<NodeId>& changed) {
    const GraphMove& move = network_.moves(source)[i];
    const bool trusted =
        !surely_overruled(network_, move) && !watch_below(network_, source, move).overruled();
    if (trusted || trusted != move.trusted) {
        network_.keep_moves(source);
        network_.set_trusted(source, i, trusted);
        changed.push_back(source);
    }
}

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
