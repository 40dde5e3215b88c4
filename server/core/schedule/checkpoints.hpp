// Checkpoints: a long search is not all or nothing. What a search of an analysis has found so far
// is stored as an evaluation of the limit that it had reached, and what it has cost so far is paid,
// so that a crash costs little of either. On the core's thread; looks at processes of this machine
// only, since others tell nothing before they have finished.
#pragma once

#include "base/task_scope.hpp"
#include "core/engines/engines.hpp"
#include "core/guards/guard.hpp"
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
        const Queue& queue;
        const Engines& engines;
        const Scheduler& scheduler;
        storage::Store& store;
        std::shared_ptr<Moments> moments;
        Queue::Clock steady;
        std::string machine;
        base::TaskScope::Poster core;
        // On the core's thread, when it is durable; with who has asked for it.
        std::function<void(const analysis::Evaluation&, std::optional<analysis::AnalysisId>)>
            stored;
    };
    // They must outlive it; the store must outlive what is written.
    explicit Checkpoints(Parts parts) : parts_{std::move(parts)} {}

    // To be called a few times a second. Does not block for the disk.
    void look_after();

    // What processes here search for the plan, and since when.
    Scheduler::Since since() const;
    // What it has found and cost so far is kept now: the search is to be stopped.
    void keep(engine_bridge::JobId job);

    // What a search has left so far, and who pays for it.
    struct Trail {
        analysis::UnixMs since = 0; // when it was first seen
        std::optional<analysis::AnalysisId> payer = {};
        std::shared_ptr<Bill> bill = {};           // null: nothing is paid before the answer
        std::uint32_t threads = 1;                 // that are paid for
        bool planned = true;                       // it is out for the plan
        std::uint64_t nodes = 0;                   // at the last checkpoint
        std::optional<chess::Move> move = {};      // of it
        analysis::UnixMs paid_at = 0;              // when the last part was paid
        bool seen = true;                          // in this round
        engine_bridge::ProcessStatus process = {}; // that searches it, as it was seen last
    };
    // Whether the same question is searched again: the first search had no answer.
    static bool another(const engine_bridge::ProcessStatus& before,
                        const engine_bridge::ProcessStatus& now) {
        return before.machine != now.machine || before.pid != now.pid ||
               before.jobs_done != now.jobs_done;
    }
    // Whether it was long enough, and has enough to say, for another one.
    bool is_due(const Trail& trail, const engine_bridge::ProcessStatus& process) const;
    // What the search has found as an evaluation of the limit that it has reached; nullopt: there
    // is no exact score, or it has reached its own limit.
    std::optional<analysis::Evaluation>
    evaluation(const Trail& trail, const analysis::Question& asked,
               const engine_bridge::ProcessStatus& process) const;
    // Stores it, and pays for the search. `ends`: the search, and this is its answer, which the
    // payer has asked for. Nothing, if the search has one already.
    void store(Trail& trail, analysis::Evaluation fact, bool ends = false) const;
    // Pays for the search, with nothing to store.
    void pay(Trail& trail, const engine_bridge::ProcessStatus& process) const;
    // The same, if nothing has been paid for as long as a search is short.
    void pay_if_due(Trail& trail, const engine_bridge::ProcessStatus& process) const;
    // What it has cost so far.
    storage::Cost cost(const Trail& trail, std::uint64_t nodes) const;

private:
    void look_at(const EngineSlot& engine, const engine_bridge::ProcessStatus& process);
    std::optional<storage::Cost> charge(Trail& trail, std::uint64_t nodes) const;
    storage::Done paid(const Trail& trail, const std::optional<storage::Cost>& part,
                       std::function<void(const storage::Written&)> then) const;

    const Parts parts_;
    std::map<engine_bridge::JobId, Trail> searches_;
};

} // namespace adjourn::server
