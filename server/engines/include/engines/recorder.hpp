// Recorder: the one way of an answer from the engines to the core.
//
//   bridge's thread ── answered() ──▶ store's writer ── ended ──▶ core's thread
//
// What a search found becomes an evaluation, and is durable together with its cost before the core
// hears of it.
#pragma once

#include "engine_bridge/pool.hpp"
#include "graphs/analysis_run.hpp"
#include "health/moments.hpp"
#include "health/task_scope.hpp"
#include "storage/store.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace adjourn::server {

class Recorder {
public:
    // What the recorder must know of a job to store its answer.
    struct Expected {
        analysis::Question question;
        std::optional<analysis::AnalysisId> asked_by; // whose usage the answer is added to
        int attempts = 0;                             // that were made before, without an answer
        bool heard = false; // what was found is told at once, also before it is durable
    };
    struct Ending {
        Outcome outcome;
        std::optional<engine_bridge::BestLine> found = {}; // by a search that was cancelled
        std::string engine_problem = {};                   // why the engine cannot be asked
        std::string not_stored = {}; // why the answer was not written; the outcome is Dropped
    };
    // Both are called on the core's thread, as long as the scope is open.
    struct Listener {
        std::function<void(engine_bridge::JobId, Ending)> ended;
        std::function<void(engine_bridge::JobId, engine_bridge::BestLine)> heard;
    };

    // The store must outlive the last call of answered().
    Recorder(storage::Store& store, std::shared_ptr<Moments> moments, TaskScope::Poster core,
             Listener listener);

    // Before the job is submitted. Any thread.
    void expect(engine_bridge::JobId job, Expected expected);
    // Any thread; returns at once. `ended` follows, exactly once for each job that is expected.
    void answered(engine_bridge::JobId job, engine_bridge::Result result);

private:
    // Tells the core; holds nothing of the recorder, so that it may outlive it in the store.
    struct Tell {
        TaskScope::Poster core;
        std::shared_ptr<const Listener> listener;

        void ended(engine_bridge::JobId job, Ending ending) const;
    };

    void record(engine_bridge::JobId job, Expected expected, const engine_bridge::Answer& answer);
    void record(engine_bridge::JobId job, Expected expected, engine_bridge::Failure failure);

    storage::Store& store_;
    std::shared_ptr<Moments> moments_;
    Tell tell_;
    std::mutex mutex_;
    std::unordered_map<engine_bridge::JobId, Expected> expected_; // under the mutex
};

} // namespace adjourn::server
