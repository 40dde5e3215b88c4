// Renewer: asks the engine that has taken the place of another one (decision 145) first about what
// carries the answer, then about what carries the answers of the main line as it was: of these the
// evaluations that are the other one's still. Then the plan goes on, level by level. The same of a
// second engine (second_engine.hpp), when a level has settled: once, without waiting for answers.
// It keeps no state: after a restart it looks again, and what was answered is not asked twice. On
// the core's thread, in pieces.
#pragma once

#include "core/guards/reads.hpp"
#include "core/schedule/verifier.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <vector>

namespace adjourn::server {

class Renewer {
public:
    // All of them must outlive it.
    Renewer(const storage::Store& store, Background& beside, Queue& queue, const Engines& engines,
            const Verifier& verifier, Scheduler& scheduler, const Health& health)
        : store_{store}, beside_{beside}, queue_{queue}, engines_{engines}, verifier_{verifier},
          scheduler_{scheduler}, health_{health} {}

    // The analysis has another graph: sets AnalysisRun::confirming where its answers are to be
    // confirmed.
    void take_up(AnalysisRun& run);
    // Goes on with all of them, the latest renewal last, no longer than so. To be called a few
    // times a second.
    void look_after(std::chrono::milliseconds most);

private:
    struct Task {
        std::vector<std::vector<chess::Move>> lines = {}; // from the root to the answers
        std::size_t next = 0;
        std::unique_ptr<analysis::VerdictSearch> search = nullptr; // of `next`; null: not begun
        bool asked = false;                                        // in this round of the lines
        std::vector<engine_bridge::JobId> out = {};
        bool reading = false; // what the second engine has answered
    };
    bool waits(const AnalysisRun& run) const;
    // Whether there is more to do.
    bool go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until);
    void ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict);
    void ask_second(AnalysisRun& run, Task& task, const analysis::Verdict& verdict);

    const storage::Store& store_;
    Background& beside_;
    Queue& queue_;
    const Engines& engines_;
    const Verifier& verifier_; // knows what can be asked
    Scheduler& scheduler_;
    const Health& health_; // whose clock says how long it has worked
    std::map<analysis::AnalysisId, Task> tasks_;
};

} // namespace adjourn::server
