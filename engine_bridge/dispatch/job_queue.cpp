#include "engine_bridge/dispatch/job_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace adjourn::engine_bridge {

namespace {

JobQueue::Suits suits_place(const JobQueue::Waiting& job, const JobQueue::Choice& suits) {
    return job.choosy && suits ? suits(job.id) : JobQueue::Suits::yes;
}

} // namespace

void JobQueue::push(Waiting job) {
    if (job.urgent) {
        urgent_.push_back(job);
        return;
    }
    const auto lower = [&](const Waiting& other) { return other.priority < job.priority; };
    normal_.insert(std::ranges::find_if(normal_, lower), job);
}

void JobQueue::push_retry(Waiting job) {
    if (job.urgent) {
        urgent_.push_front(job);
        return;
    }
    const auto not_higher = [&](const Waiting& other) { return other.priority <= job.priority; };
    retries_.insert(std::ranges::find_if(retries_, not_higher), job);
}

void JobQueue::hurry(JobId id) {
    for (Lane* lane : {&urgent_, &retries_, &normal_}) {
        const auto it = std::ranges::find(*lane, id, &Waiting::id);
        if (it != lane->end()) {
            it->urgent = true;
            urgent_.splice(urgent_.end(), *lane, it);
            return;
        }
    }
}

std::optional<std::size_t> JobQueue::server_of(std::uint64_t affinity) const {
    const auto found = servers_.find(affinity);
    return found == servers_.end() ? std::nullopt : std::optional{found->second};
}

void JobQueue::forget(std::size_t place) {
    std::erase_if(servers_, [place](const auto& entry) { return entry.second == place; });
    std::erase_if(affinities_, [this](std::uint64_t a) { return !servers_.contains(a); });
}

JobQueue::Lane::iterator JobQueue::best_of_normal(std::size_t place, const Choice& suits) {
    auto unserved = normal_.end();
    std::unordered_map<std::size_t, std::pair<std::size_t, Lane::iterator>>
        elsewhere; // count, oldest
    std::size_t scanned = 0;
    std::optional<int> priority; // of the first that suits
    for (auto it = normal_.begin(); it != normal_.end() && scanned < max_scan; ++it, ++scanned) {
        if (it->priority < priority.value_or(it->priority)) {
            break;
        }
        if (suits_place(*it, suits) == Suits::no) {
            continue;
        }
        priority = it->priority;
        const std::optional<std::size_t> server = server_of(it->affinity);
        if (server == place) {
            return it;
        }
        if (server) {
            ++elsewhere.try_emplace(*server, 0, it).first->second.first;
        } else if (unserved == normal_.end()) {
            unserved = it;
        }
    }
    if (unserved != normal_.end() || elsewhere.empty()) {
        return unserved;
    }
    return std::ranges::max_element(elsewhere, {},
                                    [](const auto& e) {
                                        return std::pair{e.second.first, ~e.first};
                                    })
        ->second.second;
}

std::optional<JobId> JobQueue::take(std::size_t place, const Choice& suits, bool only_urgent) {
    const auto first = [&](Lane& lane, Suits wanted) {
        return std::ranges::find_if(
            lane, [&](const Waiting& job) { return suits_place(job, suits) == wanted; });
    };
    if (const auto it = first(urgent_, Suits::yes); it != urgent_.end()) {
        return take_from(urgent_, it, place);
    }
    if (only_urgent) {
        return std::nullopt;
    }
    const auto again = first(retries_, Suits::yes);
    const auto next = best_of_normal(place, suits);
    if (again != retries_.end() && (next == normal_.end() || again->priority >= next->priority)) {
        return take_from(retries_, again, place);
    }
    if (next != normal_.end()) {
        return take_from(normal_, next, place);
    }
    for (Lane* lane : {&urgent_, &retries_}) { // better than nothing
        if (const auto it = first(*lane, Suits::at_last); it != lane->end()) {
            return take_from(*lane, it, place);
        }
    }
    return std::nullopt;
}

JobId JobQueue::take_from(Lane& lane, Lane::iterator it, std::size_t place) {
    const Waiting taken = *it;
    lane.erase(it);
    if (taken.affinity != 0 && servers_.try_emplace(taken.affinity, place).second) {
        affinities_.push_back(taken.affinity);
        if (affinities_.size() > max_affinities) {
            servers_.erase(affinities_.front());
            affinities_.pop_front();
        }
    }
    return taken.id;
}

bool JobQueue::remove(JobId id) {
    for (Lane* lane : {&urgent_, &retries_, &normal_}) {
        const auto it = std::ranges::find(*lane, id, &Waiting::id);
        if (it != lane->end()) {
            lane->erase(it);
            return true;
        }
    }
    return false;
}

std::vector<JobId> JobQueue::all() const {
    std::vector<JobId> all;
    for (const Lane* lane : {&urgent_, &retries_, &normal_}) {
        std::ranges::transform(*lane, std::back_inserter(all), &Waiting::id);
    }
    return all;
}

} // namespace adjourn::engine_bridge
