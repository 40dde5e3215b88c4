// Checkpoints: a long search is not all or nothing. What a search of an analysis has found so far
// is stored as an evaluation of the limit that it had reached, so that a crash costs it little. On
// the core's thread; looks at processes of this machine only, since others tell nothing before they
// have finished.
#pragma once

#include "base/task_scope.hpp"
#include "core/engines/engines.hpp"
#include "core/guards/moments.hpp"
#include "core/schedule/scheduler.hpp"
#include "storage/store.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
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
        base::TaskScope::Poster core;
        // On the core's thread, when it is durable; with whom it was charged to.
        std::function<void(const analysis::Evaluation&, std::optional<analysis::AnalysisId>)>
            stored;
    };
    // They must outlive it; the store must outlive what is written.
    explicit Checkpoints(Parts parts) : parts_{std::move(parts)} {}

    // To be called a few times a second. Does not block for the disk.
    void look_after();

    // What a search has left so far.
    struct Trail {
        analysis::UnixMs since = 0;      // when it was first seen
        std::uint64_t nodes = 0;         // at the last checkpoint
        std::optional<chess::Move> move; // of it
        bool seen = true;                // in this round
    };
    // Whether it was long enough, and has enough to say, for another one.
    bool is_due(const Trail& trail, const engine_bridge::ProcessStatus& process) const;
    // What the search has found as an evaluation of the limit that it has reached; nullopt: there
    // is no exact score, or it has reached its own limit.
    std::optional<analysis::Evaluation>
    evaluation(const Trail& trail, const analysis::Question& asked,
               const engine_bridge::ProcessStatus& process) const;
    // Stores it. `payer`: the analysis to whose usage the nodes and the time of so many threads are
    // added.
    void store(Trail& trail, analysis::Evaluation fact,
               std::optional<analysis::AnalysisId> payer = {}, std::uint32_t threads = 1) const;

private:
    void look_at(const EngineSlot& engine, const engine_bridge::ProcessStatus& process);

    const Parts parts_;
    std::map<engine_bridge::JobId, Trail> searches_;
};

} // namespace adjourn::server
