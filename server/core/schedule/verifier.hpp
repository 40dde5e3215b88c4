// Verifier: spends work that a person has given on what carries the answer of an analysis, the
// weakest first (analysis/verdict.hpp). One round after the other: what carries it now is searched,
// then what carries it then. On the core's thread, in pieces. What is left is stored with each
// answer, so that a restart goes on with it. While the analysis cannot work, it waits.
#pragma once

#include "analysis/verdict.hpp"
#include "core/engines/engines.hpp"
#include "core/graphs/graphs.hpp"
#include "core/graphs/pending.hpp"
#include "core/graphs/queue.hpp"
#include "core/guards/guard.hpp"
#include "core/schedule/scheduler.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace adjourn::server {

class Verifier {
public:
    // All of them must outlive it.
    Verifier(Queue& queue, const Graphs& graphs, const Engines& engines, Scheduler& scheduler,
             const Health& health)
        : queue_{queue}, graphs_{graphs}, engines_{engines}, scheduler_{scheduler}, health_{
                                                                                        health} {}

    // What was given is durable, and takes the place of what the analysis had left to verify. An
    // error says why nothing would be asked; in a large tree that takes a while to find. `line`:
    // from the root.
    Pending<Queue::CheckedDirective> give(analysis::AnalysisId id, std::vector<chess::Move> line,
                                          const Verify& work);
    // Goes on with what is stored of the analysis.
    void take_up(const AnalysisRun& run);
    // What is left; nullptr: nothing is verified.
    const Verify* left(analysis::AnalysisId id) const;
    // Goes on with all of them, no longer than so. To be called a few times a second.
    void look_after(std::chrono::milliseconds most);
    // What would be asked about the carrier, if it can be, and whether that is out already.
    struct Next {
        analysis::PlannedQuestion question;
        bool out;
    };
    std::optional<Next> next_of(const AnalysisRun& run, const analysis::Carrier& carrier) const;

private:
    // What is given while nobody knows yet whether it can be spent.
    struct Request {
        analysis::AnalysisId id;
        std::vector<chess::Move> line; // from the root
        Verify work;
        std::unique_ptr<analysis::VerdictSearch> search;
        const GraphSlot* slot; // that the search looks at
        Pending<Queue::CheckedDirective> told;
    };
    struct Stored;
    struct Task {
        Verify work;                                     // that is not asked for yet
        std::shared_ptr<Stored> stored;                  // that is not answered yet
        std::vector<chess::Move> line;                   // from where the analysis was made
        std::unique_ptr<analysis::VerdictSearch> search; // null: not begun
        const GraphSlot* slot = nullptr;                 // that the search looks at
        std::vector<engine_bridge::JobId> out;
    };
    std::optional<WorkError> refuses(const AnalysisRun* run,
                                     const std::vector<chess::Move>& line) const;
    void decide(std::chrono::steady_clock::time_point until);
    std::string why_nothing(const AnalysisRun& run,
                            const std::optional<analysis::Verdict>& verdict) const;
    bool waits(const AnalysisRun& run) const;
    // Whether there is more to do.
    bool go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until);
    bool ask(AnalysisRun& run, const std::vector<chess::Move>& line, Task& task,
             const analysis::Verdict& verdict);

    Queue& queue_;
    const Graphs& graphs_;
    const Engines& engines_;
    Scheduler& scheduler_;
    const Health& health_; // whose clock says how long it has worked
    std::map<analysis::AnalysisId, Task> tasks_;
    std::vector<Request> requests_; // in order
};

} // namespace adjourn::server
