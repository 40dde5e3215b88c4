// Verifier: spends work that a person has given on what carries the answer of an analysis, the
// weakest first (analysis/verdict.hpp). One round after the other: what carries it now is searched,
// then what carries it then. On the core's thread, in pieces; nothing of it is stored but the
// answers.
#pragma once

#include "analysis/verdict.hpp"
#include "core/engines/engines.hpp"
#include "core/graphs/graphs.hpp"
#include "core/graphs/queue.hpp"
#include "core/graphs/work_error.hpp"
#include "core/schedule/scheduler.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace adjourn::server {

// One of the two.
struct VerifyWork {
    std::optional<std::uint64_t> evaluations;
    std::optional<std::uint64_t> nodes;

    bool spent() const { return evaluations == 0U || nodes == 0U; }
    friend bool operator==(const VerifyWork&, const VerifyWork&) = default;
};

class Verifier {
public:
    // All of them must outlive it.
    Verifier(const Queue& queue, const Graphs& graphs, const Engines& engines, Scheduler& scheduler)
        : queue_{queue}, graphs_{graphs}, engines_{engines}, scheduler_{scheduler} {}

    // Takes the place of what the analysis had left to verify. An error says why nothing is asked.
    std::expected<void, WorkError> begin(analysis::AnalysisId id, std::vector<chess::Move> line,
                                         const VerifyWork& work);
    // What is left; nullptr: nothing is verified.
    const VerifyWork* left(analysis::AnalysisId id) const;
    // Goes on with all of them, no longer than so. To be called a few times a second.
    void look_after(std::chrono::milliseconds most);

private:
    struct Task {
        std::vector<chess::Move> line;
        VerifyWork work;
        std::unique_ptr<analysis::VerdictSearch> search; // null: not begun
        std::vector<engine_bridge::JobId> out;
    };
    // Whether there is more to do.
    bool go_on(AnalysisRun& run, Task& task, std::chrono::steady_clock::time_point until);
    bool ask(AnalysisRun& run, Task& task, const analysis::Verdict& verdict);

    const Queue& queue_;
    const Graphs& graphs_;
    const Engines& engines_;
    Scheduler& scheduler_;
    std::map<analysis::AnalysisId, Task> tasks_;
};

} // namespace adjourn::server
