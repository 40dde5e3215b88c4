// Checkpoints: a long search is not all or nothing. What a search of an analysis has found so far
// is stored as an evaluation of the limit that it had reached, so that a crash costs it little. On
// the core's thread; looks at processes of this machine only, since others tell nothing before they
// have finished.
#pragma once

#include "core/engines/engines.hpp"
#include "core/health/moments.hpp"
#include "core/health/task_scope.hpp"
#include "core/schedule/scheduler.hpp"
#include "storage/store.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace adjourn::server {

class Checkpoints {
public:
    // A search is long from then on: what is shorter can be done again.
    static constexpr analysis::UnixMs long_search{20'000};
    // Stored again when the nodes have grown by so much, or the move is another.
    static constexpr double growth = 1.25;

    struct Parts {
        const Engines& engines;
        const Scheduler& scheduler;
        storage::Store& store;
        std::shared_ptr<Moments> moments;
        Queue::Clock clock;
        std::string machine;
        TaskScope::Poster core;
        // On the core's thread, when it is durable.
        std::function<void(const analysis::Evaluation&)> stored;
    };
    // They must outlive it; the store must outlive what is written.
    explicit Checkpoints(Parts parts) : parts_{std::move(parts)} {}

    // To be called a few times a second. Does not block for the disk.
    void look_after();

private:
    struct Search {
        analysis::UnixMs since = 0;
        std::uint64_t nodes = 0;         // at the last one that was stored
        std::optional<chess::Move> move; // of it
        bool seen = true;                // in this round
    };
    void look_at(const EngineSlot& engine, const engine_bridge::ProcessStatus& process);
    void store(analysis::Evaluation fact) const;

    const Parts parts_;
    std::map<engine_bridge::JobId, Search> searches_;
};

} // namespace adjourn::server
