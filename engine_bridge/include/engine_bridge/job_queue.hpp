// JobQueue: which waiting job a process gets next. Pure; not thread-safe.
#pragma once

#include "engine_bridge/pool.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace adjourn::engine_bridge {

struct QueuedJob {
    Job job;
    int attempts = 0;                   // that are over
    std::optional<std::size_t> avoid{}; // the process that failed last
};

// Order: urgent jobs, jobs to be retried, then for each process the oldest job whose affinity it
// serves, else the oldest that nobody serves, else one stolen from the process with most waiting:
// no process idles while a job waits. The process that first takes a job of some affinity serves it
// from then on; stealing does not change that.
class JobQueue {
public:
    void push(Job job);
    void push_retry(QueuedJob job);
    // The job becomes urgent, after those that are; nothing if it is not waiting.
    void hurry(JobId id);
    // What the process had no answer to it only gets if there is nothing else, unless it is
    // `alone`.
    std::optional<QueuedJob> take(std::size_t process, bool alone = true);
    // The process whose hash is warm for such jobs, if any.
    std::optional<std::size_t> server_of(std::uint64_t affinity) const;
    // Of jobs that somebody serves: this process does from now on.
    void serve(std::uint64_t affinity, std::size_t process);
    // Its process was replaced: the hash is cold.
    void forget(std::size_t process);

    std::optional<QueuedJob> remove(JobId id);
    std::vector<QueuedJob> take_all();
    std::size_t size() const { return urgent_.size() + retries_.size() + normal_.size(); }
    bool empty() const { return size() == 0; }

    // Affinities remembered, and waiting jobs looked at for one take.
    static constexpr std::size_t max_affinities = 4096;
    static constexpr std::size_t max_scan = 256;

private:
    using Lane = std::list<QueuedJob>;
    Lane::iterator best_of_normal(std::size_t process);
    QueuedJob take_from(Lane& lane, Lane::iterator it, std::size_t process);

    Lane urgent_;
    Lane retries_;
    Lane normal_;
    std::unordered_map<std::uint64_t, std::size_t> servers_; // affinity → process
    std::deque<std::uint64_t> affinities_;                   // in order of arrival, for forgetting
};

} // namespace adjourn::engine_bridge
