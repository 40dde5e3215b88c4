#include "engine_bridge/job_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace adjourn::engine_bridge {
void JobQueue::push(Job job) {
    Lane& lane = job.urgent ? urgent_ : normal_;
    lane.push_back({std::move(job), 0, std::nullopt});
}

void JobQueue::push_retry(QueuedJob job) {
    Lane& lane = job.job.urgent ? urgent_ : retries_;
    lane.push_front(std::move(job));
}

void JobQueue::hurry(JobId id) {
    if (std::optional<QueuedJob> waiting = remove(id)) {
        waiting->job.urgent = true;
        urgent_.push_back(std::move(*waiting));
    }
}

std::optional<std::size_t> JobQueue::server_of(std::uint64_t affinity) const {
    const auto found = servers_.find(affinity);
    return found == servers_.end() ? std::nullopt : std::optional{found->second};
}

void JobQueue::serve(std::uint64_t affinity, std::size_t process) {
    if (const auto found = servers_.find(affinity); found != servers_.end()) {
        found->second = process;
    }
}

void JobQueue::forget(std::size_t process) {
    std::erase_if(servers_, [process](const auto& entry) { return entry.second == process; });
    std::erase_if(affinities_, [this](std::uint64_t a) { return !servers_.contains(a); });
}

JobQueue::Lane::iterator JobQueue::best_of_normal(std::size_t process) {
    auto unserved = normal_.end();
    std::unordered_map<std::size_t, std::pair<std::size_t, Lane::iterator>>
        elsewhere; // count, oldest
    std::size_t scanned = 0;
    for (auto it = normal_.begin(); it != normal_.end() && scanned < max_scan; ++it, ++scanned) {
        const std::optional<std::size_t> server = server_of(it->job.affinity);
        if (server == process) {
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

std::optional<QueuedJob> JobQueue::take(std::size_t process, bool alone) {
    const auto suits = [&](const QueuedJob& waiting) { return alone || waiting.avoid != process; };
    for (Lane* lane : {&urgent_, &retries_}) {
        if (const auto it = std::ranges::find_if(*lane, suits); it != lane->end()) {
            return take_from(*lane, it, process);
        }
    }
    if (const auto it = best_of_normal(process); it != normal_.end()) {
        return take_from(normal_, it, process);
    }
    Lane& avoided = urgent_.empty() ? retries_ : urgent_; // better than nothing
    return avoided.empty() ? std::nullopt
                           : std::optional{take_from(avoided, avoided.begin(), process)};
}

QueuedJob JobQueue::take_from(Lane& lane, Lane::iterator it, std::size_t process) {
    QueuedJob taken = std::move(*it);
    lane.erase(it);
    if (taken.job.affinity != 0 && servers_.try_emplace(taken.job.affinity, process).second) {
        affinities_.push_back(taken.job.affinity);
        if (affinities_.size() > max_affinities) {
            servers_.erase(affinities_.front());
            affinities_.pop_front();
        }
    }
    return taken;
}

std::optional<QueuedJob> JobQueue::remove(JobId id) {
    for (Lane* lane : {&urgent_, &retries_, &normal_}) {
        const auto it =
            std::ranges::find_if(*lane, [id](const QueuedJob& w) { return w.job.id == id; });
        if (it != lane->end()) {
            QueuedJob removed = std::move(*it);
            lane->erase(it);
            return removed;
        }
    }
    return std::nullopt;
}

std::vector<QueuedJob> JobQueue::take_all() {
    std::vector<QueuedJob> all;
    all.reserve(size());
    for (Lane* lane : {&urgent_, &retries_, &normal_}) {
        std::ranges::move(*lane, std::back_inserter(all));
        lane->clear();
    }
    return all;
}

} // namespace adjourn::engine_bridge
