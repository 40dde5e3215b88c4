// JobQueue: which waiting question a place gets next. Pure; not thread-safe.
#pragma once

#include "engine_bridge/process/job.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

namespace adjourn::engine_bridge {

// Order: urgent questions, then priority; of the same priority those to be tried again, then for
// each place the oldest whose affinity it serves, else the oldest that nobody serves, else one
// stolen from the place with most waiting: no place idles while a question waits. The place that
// first takes a question of some affinity serves it from then on; stealing does not change that.
class JobQueue {
public:
    struct Waiting {
        JobId id = 0;
        std::uint64_t affinity = 0;
        bool urgent = false;
        bool choosy = false; // not every place may have it: `suits` is asked
        int priority = 0;
    };
    // Whether the place that takes may have a choosy one; at_last: only if there is nothing else.
    enum class Suits : std::uint8_t { no, at_last, yes };
    using Choice = std::function<Suits(JobId)>;

    void push(Waiting job);
    void push_retry(Waiting job); // before those of its kind and priority
    // The job becomes urgent, after those that are; nothing if it is not waiting.
    void hurry(JobId id);
    std::optional<JobId> take(std::size_t place, const Choice& suits = {},
                              bool only_urgent = false);
    // The place whose hash is warm for such jobs, if any.
    std::optional<std::size_t> server_of(std::uint64_t affinity) const;
    // Its hash is cold.
    void forget(std::size_t place);

    bool remove(JobId id); // whether it waited
    std::vector<JobId> all() const;
    std::size_t size() const { return urgent_.size() + retries_.size() + normal_.size(); }
    bool empty() const { return size() == 0; }

    // Affinities remembered, and waiting jobs looked at for one take.
    static constexpr std::size_t max_affinities = 4096;
    static constexpr std::size_t max_scan = 256;

private:
    using Lane = std::list<Waiting>;
    Lane::iterator best_of_normal(std::size_t place, const Choice& suits);
    JobId take_from(Lane& lane, Lane::iterator it, std::size_t place);

    Lane urgent_;
    Lane retries_; // as normal_ by priority
    Lane normal_;
    std::unordered_map<std::uint64_t, std::size_t> servers_; // affinity → place
    std::deque<std::uint64_t> affinities_;                   // in order of arrival, for forgetting
};

} // namespace adjourn::engine_bridge
